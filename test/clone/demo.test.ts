import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startSandbox } from "../support/testSandbox.js";
import { assertHoldsNone, secretsOf } from "../support/leakSearch.js";
import { run, useWorkbench } from "../support/workbench.js";
import { repository } from "../support/paths.js";

const demo = join(repository, "dist/tools/demo.js");

function startDemo(environment: Record<string, string> = {}) {
  const child = spawn(process.execPath, [demo], {
    cwd: repository,
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  child.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  return { child, ended, printed: () => printed };
}

/** Returns all descendants of a process, from the process table. */
async function descendants(pid: number): Promise<number[]> {
  const { stdout } = await run("ps", ["-A", "-o", "pid=,ppid="]);
  const rows = stdout
    .trim()
    .split("\n")
    .map((row) => row.trim().split(/\s+/).map(Number));
  const descendantsOf = (parent: number): number[] =>
    rows.flatMap(([child, parentOfChild]) =>
      parentOfChild === parent ? [child as number, ...descendantsOf(child as number)] : [],
    );
  return descendantsOf(pid);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe("the demo", () => {
  before(async function () {
    await useWorkbench(this);
  });

  it("runs the quickstart with the sandbox and prints a table with masked credentials, as its README shows", async () => {
    const userFile = join(repository, "Pulumi.demo.yaml");
    await writeFile(userFile, "config: {}\n");
    const { ended, printed } = startDemo();
    assert.equal(await ended, 0, printed());
    assert.match(
      printed(),
      /live +main +v2\.1\.0 +\/var\/www\/shop\/live\/current\/public +shop_live +\[secret\] +\[secret\]/,
    );
    const readme = await readFile(join(repository, "examples/quickstart/README.md"), "utf8");
    const [, table] = /npm run demo\n([^]*?)```/.exec(readme) ?? assert.fail();
    assert.ok(printed().includes(table as string), printed());
    assert.match(printed(), /PROJECT_SERVICE_BASE_URL/);
    assert.equal(await readFile(userFile, "utf8"), "config: {}\n");
    await rm(userFile);
    assert.equal(existsSync(join(repository, ".demo")), false);
  });

  it("reads the service that the environment variables name", async () => {
    const service = await startSandbox();
    service.projects = service.projects.slice(4, 5);
    const { ended, printed } = startDemo(service.environment);
    assert.equal(await ended, 0, printed());
    assert.match(printed(), /Project booking/);
    assert.equal(service.counters.passwordGrants, 1);
    assertHoldsNone("the output of the demo", printed(), secretsOf(service));
    await service.close();
  });

  it("leaves no process running after an interrupt", async () => {
    const { child, ended, printed } = startDemo();
    const deadline = Date.now() + 60_000;
    while (!printed().includes("Updating") && Date.now() < deadline) await sleep(20);
    const processes = await descendants(child.pid as number);
    assert.ok(processes.length >= 2, `the engine is not running yet: ${printed()}`);
    child.kill("SIGINT");
    assert.equal(await ended, 130, printed());
    while (processes.some(isRunning) && Date.now() < deadline) await sleep(20);
    assert.deepEqual(processes.filter(isRunning), []);
  });
});
