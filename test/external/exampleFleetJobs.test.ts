import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { findGitlabCiLocal, type GitlabCiLocal } from "../../tools/external/gitlabCiLocal.js";
import { makeRepository, pathOfJobs } from "../support/ciJobs.js";
import { type FleetExample, idsByShard, startFleetExample } from "../support/fleetExample.js";
import { toolOrSkip } from "../support/toolOrSkip.js";
import { useWorkbench } from "../support/workbench.js";

describe("the example fleet, run as GitLab jobs", () => {
  let example: FleetExample;
  let gitlabCiLocal: GitlabCiLocal;
  before(async function () {
    gitlabCiLocal = await toolOrSkip(this, findGitlabCiLocal);
    example = await startFleetExample(await useWorkbench(this), "fleet-jobs");
  });
  after(() => example?.sandbox.close());

  it("records every project once, and the last job checks the stacks", async () => {
    const { directory } = example.project;
    await makeRepository(directory);
    // The packages are in the folder above.
    await mkdir(join(directory, "node_modules"));
    const PATH = await pathOfJobs(directory, example.environment["PATH"]);
    const { stdout } = await gitlabCiLocal(
      directory,
      ["--force-shell-executor", "--concurrency=2", "--variable=FLEET=organization/fleet"],
      { ...example.environment, PATH },
    );
    assert.match(stdout, /Each of 12 projects is in one of 4 stacks\./);
    for (const [shard, ids] of idsByShard.entries())
      assert.deepEqual(await example.idsIn(shard), ids);
  });
});
