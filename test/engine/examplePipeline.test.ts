import assert from "node:assert/strict";
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Sandbox, startSandbox } from "../../sandbox/index.js";
import { findGitlabCiLocal, type GitlabCiLocal } from "../../tools/gitlabCiLocal.js";
import { credentialsIn, LeakSearch } from "../support/secrets.js";
import { toolOrSkip } from "./toolOrSkip.js";
import { type Project, repository, run, useWorkbench, type Workbench } from "./workbench.js";

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

describe("the example pipeline on the real engine", () => {
  let workbench: Workbench;
  let sandbox: Sandbox;
  let project: Project;
  let environment: Record<string, string>;
  let credentials: string[];
  before(async function () {
    workbench = await useWorkbench(this);
    sandbox = await startSandbox();
    credentials = credentialsIn(sandbox.projects);
    project = await workbench.project("pipeline", {
      folder: join(repository, "examples/pipeline"),
    });
    await project.stack.setConfig("project", { value: "shop" });
    // As in CI, the settings come from the environment.
    const ship = join(project.directory, "ship.sh");
    await writeFile(ship, `#!/bin/sh\ncp -rp "$1" "${project.directory}/shipped"\n`, {
      mode: 0o755,
    });
    environment = {
      ...project.environment,
      ...sandbox.environment,
      PULUMI_STACK: "test",
      SHIP: ship,
    };
  });
  after(() => sandbox?.close());

  /** Runs a command as a job would; resolves whatever the exit code. */
  async function job(...[program, ...args]: [string, ...string[]]): Promise<Ended> {
    try {
      const env = { ...process.env, ...environment };
      return { code: 0, ...(await run(program, args, { cwd: project.directory, env })) };
    } catch (error) {
      return error as Ended;
    }
  }

  function assertHoldsNoSecret(...texts: [string, string][]): void {
    const search = new LeakSearch([
      sandbox.connection.password,
      ...sandbox.issuedTokens,
      ...credentials,
      ...credentialsIn(sandbox.projects), // as they are by now
    ]);
    for (const [where, text] of texts) search.text(where, text);
  }

  const live = () => sandbox.projects[0]?.projectEnvironments[0] ?? assert.fail();

  it("exports facts in clear and the credentials as one secret", async () => {
    const { code, stdout } = await job("pulumi", "up", "--yes", "--non-interactive");
    assert.equal(code, 0, stdout);
    const outputs = await job("pulumi", "stack", "output", "--json");
    const { environments, ...others } = JSON.parse(outputs.stdout) as {
      environments: Record<string, unknown>;
    };
    assert.deepEqual(Object.keys(environments), ["live", "stage", "test"]);
    assert.deepEqual(environments["live"], {
      branch: "main",
      tag: "v2.1.0",
      webroot: "/var/www/shop/live/current/public",
    });
    assert.deepEqual(others, {
      domain: "shop.example.com",
      repository: "git@git.example.com:retail/shop.git",
      credentials: "[secret]",
    });
    assertHoldsNoSecret(["what up printed", stdout], ["the outputs", outputs.stdout]);
  });

  it("deploys with them: facts printed, credentials in a file that only its owner may read", async () => {
    const { code, stdout, stderr } = await job("sh", "-x", "deploy.sh", "live");
    assert.equal(code, 0, stderr);
    assert.equal(
      stdout,
      `shop.example.com, environment live
  deployed is  v2.1.0
  to deploy is main of git@git.example.com:retail/shop.git
  webroot is   /var/www/shop/live/current/public
  credentials  are in release/databases.json until this ends
`,
    );
    const file = join(project.directory, "shipped/databases.json");
    const databases = JSON.parse(await readFile(file, "utf8")) as { password: string }[];
    assert.deepEqual(
      databases.map(({ password }) => password),
      live().projectEnvironmentDatabases.databases.map(({ password }) => password),
    );
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.deepEqual(await readdir(join(project.directory, "release")), []);
    assertHoldsNoSecret(["what was printed", stdout], ["the trace of the shell", stderr]);
  });

  it("deploys nothing without an environment, to an unknown one, or from a stack that is not there", async () => {
    const nowhere = await job("sh", "deploy.sh");
    assert.match(nowhere.stderr, /Usage: deploy.sh <environment>/);
    const unknown = await job("sh", "deploy.sh", "moon");
    assert.match(unknown.stderr, /The stack has no environments\.moon\.branch/);
    const gone = await job("env", "PULUMI_STACK=gone", "sh", "deploy.sh", "live");
    assert.match(gone.stderr, /no stack/);
    for (const { code, stdout } of [nowhere, unknown, gone]) {
      assert.notEqual(code, 0);
      assert.equal(stdout, "");
    }
  });

  describe("by its GitLab jobs", () => {
    let gitlabCiLocal: GitlabCiLocal;
    before(async function () {
      gitlabCiLocal = await toolOrSkip(this, findGitlabCiLocal);
      await makeRepository();
    });

    async function makeRepository(): Promise<void> {
      const { directory } = project;
      const manifest = await readFile(join(workbench.directory, "package.json"), "utf8");
      await writeFile(join(directory, "package.json"), manifest.replace("file:", "file:../"));
      await run("npm", ["install", "--package-lock-only", "--no-audit"], { cwd: directory });
      const origin = "git@gitlab.example.com:group/hosting.git";
      for (const args of [
        ["init", "--quiet", "--initial-branch=main"],
        ["remote", "add", "origin", origin],
      ]) {
        await run("git", args, { cwd: directory });
      }
      // gitlab-ci-local makes a copy for containers, also when there are none.
      await mkdir(join(directory, ".bin"));
      await symlink("/bin/true", join(directory, ".bin/rsync"));
    }

    async function pipeline(event: string): Promise<Ended> {
      const options = [
        "--force-shell-executor",
        `--variable=CI_PIPELINE_SOURCE=${event}`,
        "--ignore-predefined-vars=CI_PIPELINE_SOURCE",
      ];
      const PATH = `${join(project.directory, ".bin")}:${environment["PATH"]}`;
      try {
        const variables = { ...environment, PATH, npm_config_prefer_offline: "true" };
        return { code: 0, ...(await gitlabCiLocal(project.directory, options, variables)) };
      } catch (error) {
        return error as Ended;
      }
    }

    it("updates and deploys what is pushed to main", async () => {
      await rm(join(project.directory, "shipped"), { recursive: true });
      const { code, stdout, stderr } = await pipeline("push");
      assert.equal(code, 0, stdout + stderr);
      assert.match(stdout, /to deploy is main of git@git\.example\.com:retail\/shop\.git/);
      assert.deepEqual(await readdir(join(project.directory, "release")), []);
      assert.ok((await stat(join(project.directory, "shipped/databases.json"))).isFile());
      assertHoldsNoSecret(["the jobs' log", stdout + stderr]);
    });

    it("is content on schedule while the service says what was recorded", async () => {
      const { code, stdout, stderr } = await pipeline("schedule");
      assert.equal(code, 0, stdout + stderr);
    });

    it("fails on schedule when something was changed, and names it, but no secret", async () => {
      live().projectEnvironmentCode.webroot = "/var/www/shop/live/current/pub";
      const [database] = live().projectEnvironmentDatabases.databases;
      assert.ok(database);
      database.password = "c4nary-r0tated-p4ssword";
      const { code, stdout, stderr } = await pipeline("schedule");
      assert.notEqual(code, 0, stdout + stderr);
      assert.match(
        stdout,
        /webroot *: "\/var\/www\/shop\/live\/current\/public" => "\/var\/www\/shop\/live\/current\/pub"/,
      );
      assert.match(stdout, /credentials *: \[secret\] => \[secret\]/);
      assertHoldsNoSecret(["the jobs' log", stdout + stderr]);
    });
  });
});
