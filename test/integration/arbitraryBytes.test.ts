import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { ProjectServiceError } from "../../provider/errors/projectServiceError.js";
import type { TimeLimits } from "../../provider/http/limits.js";
import { type CallArgument, callService, limitsOf, password } from "../support/callService.js";
import { announceSeed, fuzzSeed } from "../support/fuzzing.js";
import { credentialsIn, LeakSearch } from "../support/leakSearch.js";
import { type RawServer, startRawServer } from "../support/rawServer.js";
import {
  makeCorrectCall,
  makeScriptedCall,
  respondAsScripted,
  type ScriptedCall,
  scriptKinds,
} from "../support/scriptedCall.js";
import { sampleProjects } from "../../sandbox/index.js";
import { compiled } from "../support/paths.js";

const calls = 2_400;
const concurrency = 60;
const processesPerKind = 2;
const processesAtATime = 4;
/** The duration of a correct call among the others, on an idle machine. */
const usualMs = 80;
/** The output of a successful call in a process of its own, with its duration. */
const resultPattern = /^result after (\d+) ms: .*shop/;

const run = promisify(execFile);

/** A server or a proxy may send any bytes at any time. */
describe("a server that sends arbitrary bytes", function () {
  this.timeout(600_000);
  this.slow(60_000);

  let server: RawServer;
  const scripted: ScriptedCall[] = Array.from({ length: calls }, (_, index) =>
    makeScriptedCall(fuzzSeed, index),
  );
  const correct = Array.from({ length: processesAtATime }, makeCorrectCall);

  before(async () => {
    announceSeed();
    server = await startRawServer((request) =>
      respondAsScripted(request, [...scripted, ...correct]),
    );
    await correctCallsMs(1); // the first call loads modules
  });
  after(() => server.close());

  /** Returns the time that correct calls take. */
  async function correctCallsMs(count: number): Promise<number> {
    const call = correct[0] as ScriptedCall;
    const startMs = performance.now();
    await Promise.all(
      Array.from({ length: count }, () => callService(call, calls, server.port, limitsOf(500))),
    );
    return performance.now() - startMs;
  }

  it(`lets each of ${calls} calls end in time, with a result or a ProjectServiceError`, async () => {
    const search = new LeakSearch([password, ...credentialsIn(sampleProjects())]);
    const outcomes: Record<string, number> = {};
    let longestMs = 0;
    let started = 0;
    // About half of the calls are busy at the same time. The others wait.
    let slowness = Math.max(1, (await correctCallsMs(concurrency / 2)) / usualMs);
    let largestSlowness = slowness;
    let latest = { name: "", lateMs: 0 };

    /** On a busy machine, also a correct call takes long. The limits of the other calls follow. */
    async function measure(): Promise<void> {
      while (started < calls) {
        // Slowly back: with limits that are too short, no call would get far.
        slowness = Math.max(1, (await correctCallsMs(1)) / usualMs, slowness * 0.9);
        largestSlowness = Math.max(largestSlowness, slowness);
      }
    }

    async function work(): Promise<void> {
      while (started < calls) {
        const index = started++;
        const call = scripted[index] as ScriptedCall;
        const limits = limitsOf(slowness);
        const startMs = performance.now();
        const outcome = await outcomeOf(callService(call, index, server.port, limits), search);
        const ms = performance.now() - startMs;
        longestMs = Math.max(longestMs, ms);
        const lateMs = ms - limits.attemptMs - limits.totalMs - limits.listMs;
        if (lateMs > latest.lateMs) latest = { name: `${call.kind}, call ${index}`, lateMs };
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      }
    }

    await Promise.all([measure(), ...Array.from({ length: concurrency }, work)]);
    const { name, lateMs } = latest;
    assert.ok(lateMs < 1_000 * largestSlowness, `${name} ends ${Math.round(lateMs)} ms too late`);
    console.log(`      the longest took ${Math.ceil(longestMs)} ms:`, outcomes);
    assert.ok((outcomes["result"] ?? 0) > calls / 10);
    assert.ok((outcomes["UNREACHABLE"] ?? 0) > calls / 20);
    assert.ok((outcomes["TIMEOUT"] ?? 0) > calls / 20);
  });

  /** Makes a call in a process of its own. */
  async function callInProcess(call: ScriptedCall, index: number, limits: TimeLimits) {
    const { throughProxy, byName } = call;
    const argument: CallArgument = {
      call: { throughProxy, byName },
      index,
      port: server.port,
      limits,
    };
    const program = compiled("test/support/callService.ts");
    return run(process.execPath, [program, JSON.stringify(argument)]).then(
      ({ stdout }) => ({ code: 0, stdout }),
      (error: unknown) => error as { code: number; stdout: string },
    );
  }

  it("never makes a process end with exit code 0 and without the result", async () => {
    const indexes = scriptKinds.flatMap((kind) =>
      [...scripted.keys()]
        .filter((index) => scripted[index]?.kind === kind)
        .slice(0, processesPerKind),
    );
    assert.ok(indexes.length >= 40, String(indexes.length));
    const correctResults = await Promise.all(
      correct.map((call, index) => callInProcess(call, calls + index, limitsOf(500))),
    );
    const slowestMs = Math.max(
      ...correctResults.map(({ stdout }) => Number(resultPattern.exec(stdout)?.[1])),
    );
    const limits = limitsOf(Math.max(2, slowestMs / usualMs));
    const queue = [...indexes];
    const results = { printed: 0, failed: 0 };
    async function work(): Promise<void> {
      for (let index = queue.shift(); index !== undefined; index = queue.shift()) {
        const call = scripted[index] as ScriptedCall;
        call.requests = 0;
        const { code, stdout } = await callInProcess(call, index, limits);
        const name = `${call.kind}, call ${index}`;
        if (code === 0) assert.match(stdout, resultPattern, name);
        results[code === 0 ? "printed" : "failed"]++;
      }
    }
    await Promise.all(Array.from({ length: processesAtATime }, work));
    console.log(`      ${indexes.length} processes:`, results);
    assert.ok(results.printed > 0 && results.failed > 0);
  });
});

async function outcomeOf(read: Promise<unknown>, search: LeakSearch): Promise<string> {
  const [settled] = await Promise.allSettled([read]);
  if (settled.status === "fulfilled") {
    assert.equal(typeof settled.value, "object");
    return "result";
  }
  const error: unknown = settled.reason;
  assert.ok(error instanceof ProjectServiceError, `not a ProjectServiceError: ${String(error)}`);
  assert.doesNotMatch(error.message, /bug in pulumi-project-service/);
  search.text("the message", error.message);
  return error.code;
}
