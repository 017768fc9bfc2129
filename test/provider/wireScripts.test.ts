import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { ProjectServiceError } from "../../provider/errors.js";
import { announceSeed, fuzzSeed } from "../support/fuzzing.js";
import { credentialsIn, LeakSearch } from "../support/secrets.js";
import { type RawServer, startRawServer } from "../support/rawServer.js";
import { callService, limits, password } from "../support/wireScriptCall.js";
import {
  makeScriptedCall,
  respondAsScripted,
  type ScriptedCall,
  scriptKinds,
} from "../support/wireScripts.js";
import { sampleProjects } from "../../sandbox/index.js";

const calls = 2_400;
const concurrency = 60;
const ownProcessesOfAKind = 2;
const boundMs = limits.attemptMs + limits.totalMs + limits.listMs + 1_000;

const run = promisify(execFile);

/**
 * Whatever bytes a server or a proxy sends, and whenever: each call ends, in time, with a result or
 * with an error of ours.
 */
describe("a server that sends anything", function () {
  this.timeout(120_000);
  this.slow(60_000);

  let server: RawServer;
  const scripted: ScriptedCall[] = Array.from({ length: calls }, (_, index) =>
    makeScriptedCall(fuzzSeed, index),
  );
  before(async () => {
    announceSeed();
    server = await startRawServer((request) => respondAsScripted(request, scripted));
  });
  after(() => server.close());

  it(`lets each of ${calls} calls end in time, with a result or our error`, async () => {
    const search = new LeakSearch([password, ...credentialsIn(sampleProjects())]);
    const outcomes: Record<string, number> = {};
    let longestMs = 0;
    let begun = 0;
    async function work(): Promise<void> {
      while (begun < calls) {
        const index = begun++;
        const call = scripted[index] as ScriptedCall;
        const startMs = performance.now();
        const outcome = await outcomeOf(callService(call, index, server.port), search);
        const ms = performance.now() - startMs;
        longestMs = Math.max(longestMs, ms);
        assert.ok(ms < boundMs, `${call.kind}, call ${index}, took ${Math.round(ms)} ms`);
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      }
    }
    await Promise.all(Array.from({ length: concurrency }, work));
    console.log(`      longest ${Math.ceil(longestMs)} ms:`, outcomes);
    assert.ok((outcomes["result"] ?? 0) > calls / 10);
    assert.ok((outcomes["UNREACHABLE"] ?? 0) > calls / 20);
    assert.ok((outcomes["TIMEOUT"] ?? 0) > calls / 20);
  });

  it("never lets a process end with exit code 0 without the result", async () => {
    const indexes = scriptKinds.flatMap((kind) =>
      [...scripted.keys()]
        .filter((index) => scripted[index]?.kind === kind)
        .slice(0, ownProcessesOfAKind),
    );
    assert.ok(indexes.length >= 40, String(indexes.length));
    const program = join(__dirname, "../support/wireScriptCall.js");
    const queue = [...indexes];
    const results = { printed: 0, failed: 0 };
    async function work(): Promise<void> {
      for (let index = queue.shift(); index !== undefined; index = queue.shift()) {
        const call = scripted[index] as ScriptedCall;
        call.requests = 0;
        const { throughProxy, byName } = call;
        const argument = JSON.stringify({
          call: { throughProxy, byName },
          index,
          port: server.port,
        });
        const { code, stdout } = await run(process.execPath, [program, argument]).then(
          ({ stdout }) => ({ code: 0, stdout }),
          (error: unknown) => error as { code: number; stdout: string },
        );
        const what = `${call.kind}, call ${index}`;
        if (code === 0) assert.match(stdout, /^result: .*shop/, what);
        results[code === 0 ? "printed" : "failed"]++;
      }
    }
    await Promise.all([work(), work()]);
    console.log(`      ${indexes.length} processes:`, results);
    assert.ok(results.printed > 0 && results.failed > 0);
  });
});

async function outcomeOf(reading: Promise<unknown>, search: LeakSearch): Promise<string> {
  const [settled] = await Promise.allSettled([reading]);
  if (settled.status === "fulfilled") {
    assert.equal(typeof settled.value, "object");
    return "result";
  }
  const error: unknown = settled.reason;
  assert.ok(error instanceof ProjectServiceError, `not ours: ${String(error)}`);
  assert.doesNotMatch(error.message, /fault of the package/);
  search.text("the message", error.message);
  return error.code;
}
