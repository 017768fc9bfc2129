import assert from "node:assert/strict";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { findGitlabCiLocal, type GitlabCiLocal } from "../../tools/external/gitlabCiLocal.js";
import { type FleetExample, idsByShard, startFleetExample } from "../support/fleetExample.js";
import { toolOrSkip } from "../support/toolOrSkip.js";
import { run, useWorkbench } from "../support/workbench.js";

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
    await run("git", ["init", "--quiet", "--initial-branch=main"], { cwd: directory });
    const origin = "git@gitlab.example.com:group/fleet.git";
    await run("git", ["remote", "add", "origin", origin], { cwd: directory });
    // The packages are already installed, and no copy for containers is needed.
    await mkdir(join(directory, ".bin"));
    for (const tool of ["npm", "rsync"]) await symlink("/bin/true", join(directory, ".bin", tool));
    const PATH = `${join(directory, ".bin")}:${example.environment["PATH"]}`;
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
