import assert from "node:assert/strict";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { type PipelineExample, startPipelineExample } from "../support/pipelineExample.js";
import { repository } from "../support/paths.js";
import { useWorkbench } from "../support/workbench.js";

describe("the example pipeline, with the real engine", () => {
  let example: PipelineExample;
  before(async function () {
    example = await startPipelineExample(await useWorkbench(this), "pipeline");
  });
  after(() => example?.sandbox.close());

  it("exports the credentials as one secret and all other data in plain text", async () => {
    const { code, stdout } = await example.job("pulumi", "up", "--yes", "--non-interactive");
    assert.equal(code, 0, stdout);
    const outputs = await example.job("pulumi", "stack", "output", "--json");
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
    example.assertHoldsNoSecret(
      ["the output of pulumi up", stdout],
      ["the outputs", outputs.stdout],
    );
  });

  it("prints the data of the deployment, and writes the credentials to a file that only the owner may read", async () => {
    const { code, stdout, stderr } = await example.job("sh", "-x", "deploy.sh", "live");
    assert.equal(code, 0, stderr);
    assert.equal(
      stdout,
      `shop.example.com, environment live
  deployed tag:  v2.1.0
  branch:        main of git@git.example.com:retail/shop.git
  webroot:       /var/www/shop/live/current/public
  credentials:   release/databases.json, until this script ends
`,
    );
    const readme = await readFile(join(repository, "examples/pipeline/README.md"), "utf8");
    assert.ok(readme.includes(stdout), "its README shows this output");
    const file = join(example.project.directory, "shipped/databases.json");
    const databases = JSON.parse(await readFile(file, "utf8")) as { password: string }[];
    assert.deepEqual(
      databases.map(({ password }) => password),
      example.live().projectEnvironmentDatabases.databases.map(({ password }) => password),
    );
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.deepEqual(await readdir(join(example.project.directory, "release")), []);
    example.assertHoldsNoSecret(["the output", stdout], ["the trace of the shell", stderr]);
  });

  it("does not deploy without an environment, to an unknown environment, or from a stack that does not exist", async () => {
    const withoutEnvironment = await example.job("sh", "deploy.sh");
    assert.match(withoutEnvironment.stderr, /Usage: deploy.sh <environment>/);
    const unknown = await example.job("sh", "deploy.sh", "moon");
    assert.match(unknown.stderr, /The stack has no output environments\.moon\.branch\./);
    const missingStack = await example.job("env", "PULUMI_STACK=gone", "sh", "deploy.sh", "live");
    assert.match(missingStack.stderr, /no stack/);
    for (const { code, stdout } of [withoutEnvironment, unknown, missingStack]) {
      assert.notEqual(code, 0);
      assert.equal(stdout, "");
    }
  });
});
