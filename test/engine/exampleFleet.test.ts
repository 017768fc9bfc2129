import assert from "node:assert/strict";
import { mkdir, readdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { type Sandbox, startSandbox } from "../../sandbox/index.js";
import { findGitlabCiLocal } from "../../tools/gitlabCiLocal.js";
import { credentialsIn, LeakSearch } from "../support/secrets.js";
import { toolOrSkip } from "./toolOrSkip.js";
import { type Project, repository, run, useWorkbench } from "./workbench.js";

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** By the first four bytes of the SHA-256 of the id, modulo 4; of p-1 that is 0x1dee6e3e, hence 2. */
const idsOfFour = [
  ["p-7", "p-11", "p-12"],
  ["p-2", "p-4", "p-9", "p-10"],
  ["p-1", "p-5"],
  ["p-3", "p-6", "p-8"],
];

describe("the example fleet on the real engine", () => {
  let sandbox: Sandbox;
  let project: Project;
  let environment: Record<string, string>;
  before(async function () {
    const workbench = await useWorkbench(this);
    sandbox = await startSandbox();
    project = await workbench.project("fleet", { folder: join(repository, "examples/fleet") });
    environment = { ...project.environment, ...sandbox.environment };
  });
  after(() => sandbox?.close());

  /** Runs a command in the folder of the example; resolves whatever the exit code. */
  async function command(...[program, ...args]: [string, ...string[]]): Promise<Ended> {
    const env = { ...process.env, ...environment };
    try {
      return { code: 0, ...(await run(program, args, { cwd: project.directory, env })) };
    } catch (error) {
      return error as Ended;
    }
  }

  const runShards = (shards: number) =>
    command("node", "run.mjs", "--shards", String(shards), "--parallel", "2");

  async function idsIn(shard: number): Promise<unknown> {
    const { stdout } = await command(
      ...["pulumi", "stack", "output", "projectIds", "--json", "--stack", `shard-${shard}`],
    );
    return JSON.parse(stdout);
  }

  it("says what is wrong with the config of a stack, before it reads anything", async () => {
    for (const [config, ...messages] of [
      [
        ["--config=shards=1.5"],
        /shards must be .*: pulumi config set shards 4\n/,
        /shard must be a/,
      ],
      [["--config=shards=4", "--config=shard=4"], /shard must be a whole number from 0 to 3: /],
    ] as [string[], ...RegExp[]][]) {
      const { code, stdout } = await project.cli("preview", ...config);
      assert.notEqual(code, 0);
      for (const message of messages) assert.match(stdout, message);
    }
    assert.equal(sandbox.counters.lists, 0);
  });

  it("records every project once, in four stacks, with one sign-in each", async () => {
    const { code, stdout, stderr } = await runShards(4);
    assert.equal(code, 0, stdout + stderr);
    assert.match(stdout, /^Each of 12 projects is in one of 4 stacks\.$/m);
    // Four shards and the check; each of them lists, and the shards read what is theirs.
    const { passwordGrants, lists, projectReads } = sandbox.counters;
    assert.deepEqual(
      { passwordGrants, lists, projectReads },
      { passwordGrants: 5, lists: 5, projectReads: 12 },
    );
  });

  it("gives each project to the shard that its id alone decides", async () => {
    for (const [shard, ids] of idsOfFour.entries()) assert.deepEqual(await idsIn(shard), ids);
  });

  it("records no credentials, unless the config says so", async () => {
    const search = new LeakSearch([...credentialsIn(sandbox.projects), ...sandbox.issuedTokens]);
    const stack = ["--stack", "shard-2"];
    const before = (await command("pulumi", "stack", "export", ...stack)).stdout;
    search.text("the state without credentials", before);
    assert.doesNotMatch(before, /"ciphertext"/);
    await command("pulumi", "up", "--yes", ...stack, "--config", "includeCredentials=true");
    const after = (await command("pulumi", "stack", "export", ...stack)).stdout;
    search.text("the state with credentials", after);
    assert.match(
      after,
      /"credentials": \{\s*"4dabf18193072939515e22adb298388d": "[^"]+",\s*"ciphertext"/,
    );
  });

  it("tells which projects are in two stacks when one of four shards is left over", async () => {
    const { code, stdout, stderr } = await runShards(3);
    assert.equal(code, 1, stdout);
    const [id] = idsOfFour[3] as [string];
    assert.match(stderr, new RegExp(`^${id} is in 2 stacks: shard-[012], shard-3$`, "m"));
    assert.equal(stderr.trim().split("\n").length, 3);

    await command("pulumi", "destroy", "--yes", "--remove", "--stack", "shard-3");
    const check = await command("node", "check.mjs");
    assert.equal(check.stdout, "Each of 12 projects is in one of 3 stacks.\n");
  });

  it("runs as GitLab's jobs, of which the last one checks", async function () {
    const gitlabCiLocal = await toolOrSkip(this, findGitlabCiLocal);
    const { directory } = project;
    await run("git", ["init", "--quiet", "--initial-branch=main"], { cwd: directory });
    const origin = "git@gitlab.example.com:group/fleet.git";
    await run("git", ["remote", "add", "origin", origin], { cwd: directory });
    // The packages are there, and no copy for containers is needed.
    await mkdir(join(directory, ".bin"));
    for (const tool of ["npm", "rsync"]) await symlink("/bin/true", join(directory, ".bin", tool));
    const PATH = `${join(directory, ".bin")}:${environment["PATH"]}`;
    const { stdout } = await gitlabCiLocal(
      directory,
      ["--force-shell-executor", "--concurrency=2", "--variable=FLEET=organization/fleet"],
      { ...environment, PATH },
    );
    assert.match(stdout, /Each of 12 projects is in one of 4 stacks\./);
    for (const [shard, ids] of idsOfFour.entries()) assert.deepEqual(await idsIn(shard), ids);
  });

  it("tells which projects are in no stack when a shard was never updated", async () => {
    await command("pulumi", "stack", "rm", "--yes", "--force", "--stack", "shard-0");
    await command("pulumi", "stack", "init", "shard-0", "--no-select");
    const { code, stderr } = await command("node", "check.mjs");
    assert.equal(code, 1);
    assert.equal(stderr, idsOfFour[0]?.map((id) => `${id} is in no stack\n`).join(""));
  });

  it("tells which shard failed, and updates the others", async () => {
    sandbox.forbiddenProjectIds.add("p-1");
    const { code, stdout, stderr } = await runShards(2);
    sandbox.forbiddenProjectIds.clear();
    assert.equal(code, 1);
    assert.match(stderr, /^shard-0 failed$[^]*Reading project p-1 failed: .*403/m);
    assert.match(stdout, /^shard-1 is up to date, .* s\n$/);
  });

  it("shows itself with the sandbox, and leaves nothing behind", async () => {
    const before = await readdir(project.directory);
    const { code, stdout, stderr } = await command("node", "try.mjs", "--shards", "1");
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^Each of 12 projects is in one of 1 stacks\.$/m);
    assert.deepEqual(await readdir(project.directory), before);
  });
});
