import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type FleetExample, idsByShard, startFleetExample } from "../support/fleetExample.js";
import { repository } from "../support/paths.js";
import { LeakSearch, secretsOf } from "../support/leakSearch.js";
import { useWorkbench } from "../support/workbench.js";

describe("the example fleet, with the real engine", () => {
  let example: FleetExample;
  before(async function () {
    example = await startFleetExample(await useWorkbench(this), "fleet");
  });
  after(() => example?.sandbox.close());

  const runShards = (shards: number) =>
    example.job("node", "run.mjs", "--shards", String(shards), "--parallel", "2");

  it("names a wrong setting in the config of a stack before it sends a request", async () => {
    for (const [config, message] of [
      [["shard=0", "shards=1.5"], /count of shard must be a whole number, 1 or more/],
      [["shard=4", "shards=4"], /index of shard must be a whole number from 0 to 3/],
    ] as [string[], RegExp][]) {
      const args = config.flatMap((setting) => ["--config", setting]);
      const { code, stdout } = await example.project.cli("preview", ...args);
      assert.notEqual(code, 0);
      assert.match(stdout, message);
    }
    assert.equal(example.sandbox.counters.lists, 0);
  });

  it("records every project once, in four stacks, with one sign-in per stack", async () => {
    const { code, stdout, stderr } = await runShards(4);
    assert.equal(code, 0, stdout + stderr);
    assert.match(stdout, /^Each of 12 projects is in one of 4 stacks\.$/m);
    // Four shards and the check list the projects. Each shard reads only its own projects.
    const { passwordGrants, lists, projectReads } = example.sandbox.counters;
    assert.deepEqual(
      { passwordGrants, lists, projectReads },
      { passwordGrants: 5, lists: 5, projectReads: 12 },
    );
  });

  it("assigns each project to a shard by its id", async () => {
    for (const [shard, ids] of idsByShard.entries())
      assert.deepEqual(await example.idsIn(shard), ids);
  });

  it("records credentials only if the config has includeCredentials", async () => {
    const search = new LeakSearch(secretsOf(example.sandbox));
    const stack = ["--stack", "shard-2"];
    const before = (await example.job("pulumi", "stack", "export", ...stack)).stdout;
    search.text("the state without credentials", before);
    assert.doesNotMatch(before, /"ciphertext"/);
    const up = ["up", "--yes", "--skip-preview", "--config", "includeCredentials=true"];
    await example.job("pulumi", ...up, ...stack);
    const after = (await example.job("pulumi", "stack", "export", ...stack)).stdout;
    search.text("the state with credentials", after);
    assert.match(
      after,
      /"credentials": \{\s*"4dabf18193072939515e22adb298388d": "[^"]+",\s*"ciphertext"/,
    );
  });

  it("names the projects that are in two stacks after the number of shards was lowered", async () => {
    const { code, stdout, stderr } = await runShards(3);
    assert.equal(code, 1, stdout);
    const [id] = idsByShard[3] as [string];
    assert.match(stderr, new RegExp(`^${id} is in 2 stacks: shard-[012], shard-3$`, "m"));
    assert.equal(stderr.trim().split("\n").length, 3);

    await example.job(
      "pulumi",
      ...["destroy", "--yes", "--skip-preview", "--remove"],
      "--stack",
      "shard-3",
    );
    const check = await example.job("node", "check.mjs");
    assert.equal(check.stdout, "Each of 12 projects is in one of 3 stacks.\n");
  });

  it("names the projects that are in no stack if a shard was never updated", async () => {
    const ids = await example.idsIn(0);
    await example.job("pulumi", "stack", "rm", "--yes", "--force", "--stack", "shard-0");
    await example.job("pulumi", "stack", "init", "shard-0", "--no-select");
    const { code, stderr } = await example.job("node", "check.mjs");
    assert.equal(code, 1);
    assert.ok(ids.length > 0);
    assert.equal(stderr, ids.map((id) => `${id} is in no stack\n`).join(""));
  });

  it("names the shard that failed and updates the other shards", async () => {
    example.sandbox.forbiddenProjectIds.add("p-1");
    const { code, stdout, stderr } = await runShards(2);
    example.sandbox.forbiddenProjectIds.clear();
    assert.equal(code, 1);
    assert.match(stderr, /^shard-0 failed$[^]*Reading project p-1 failed: .*403/m);
    assert.match(stdout, /^shard-1 is up to date, .* s\n$/);
  });

  it("runs with the sandbox by try.mjs, as its README shows, and leaves no files behind", async () => {
    const before = await readdir(example.project.directory);
    const { code, stdout, stderr } = await example.job("node", "try.mjs", "--shards", "1");
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^Each of 12 projects is in one of 1 stacks\.$/m);
    const readme = await readFile(join(repository, "examples/fleet/README.md"), "utf8");
    const [, shown] = /node try\.mjs\n([^]*?)```/.exec(readme) ?? assert.fail();
    const inOneStack = (shown as string).split("\n").filter((line) => !/^shard-[123] /.test(line));
    assert.equal(
      inOneStack
        .join("\n")
        .replace("of 4 stacks", "of 1 stacks")
        .replace(/[\d.]+ s$/m, "# s"),
      stdout.replace(/[\d.]+ s$/m, "# s"),
    );
    assert.deepEqual(await readdir(example.project.directory), before);
  });
});
