import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Sandbox, startSandbox } from "../../sandbox/index.js";
import { credentialsIn, LeakSearch, withoutPulumisOwn } from "../support/secrets.js";
import { type Project, useWorkbench } from "../support/workbench.js";
import { repository } from "../support/paths.js";

describe("the example database-secret, with the real engine", () => {
  let sandbox: Sandbox;
  let project: Project;
  before(async function () {
    const workbench = await useWorkbench(this);
    sandbox = await startSandbox();
    project = await workbench.project("database-secret", {
      folder: join(repository, "examples/database-secret"),
    });
    await project.configure(sandbox);
    await project.stack.setConfig("project", { value: "shop" });
  });
  after(() => sandbox?.close());

  /** A password with characters that have a meaning in URLs, queries and shells. */
  const password = "c4nary:p@ss/w0rd?#&%20'$x";

  function database() {
    const live = sandbox.projects[0]?.projectEnvironments[0]?.projectEnvironmentDatabases;
    return live?.databases[0] ?? assert.fail("the sandbox has no database in p-1, live");
  }

  const writtenFile = () => readFile(join(project.directory, ".env"), "utf8");

  it("passes a URL to another resource, from which the credentials can be parsed", async () => {
    database().password = password;
    // An existing file that other users may read.
    await writeFile(join(project.directory, ".env"), "", { mode: 0o644 });
    await project.stack.up(project.listen);
    const [, databaseUrl] = /^DATABASE_URL=(.*)\n$/.exec(await writtenFile()) ?? assert.fail();
    const url = new URL(databaseUrl as string);
    assert.equal(decodeURIComponent(url.username), database().username);
    assert.equal(decodeURIComponent(url.password), password);
    assert.equal(url.pathname, "/shop_live");
    assert.equal((await stat(join(project.directory, ".env"))).mode & 0o777, 0o600);
    const files = await readdir(project.directory);
    assert.deepEqual(
      files.filter((file) => file.startsWith(".env")),
      [".env"],
    );
  });

  it("shows other fields in plain text, and values built from credentials as [secret]", async () => {
    const { stdout } = await project.cli("stack", "output", "--json");
    assert.deepEqual(JSON.parse(stdout), {
      path: ".env",
      webroot: "/var/www/shop/live/current/public",
      stashed: "[secret]",
    });
    const shown = await project.cli("stack", "output", "stashed", "--json", "--show-secrets");
    const { databaseUrl } = JSON.parse(shown.stdout) as { databaseUrl: string };
    assert.equal(`DATABASE_URL=${databaseUrl}\n`, await writtenFile());
  });

  it("passes on a rotated password", async () => {
    database().password = `${password}-2`;
    const { summary } = await project.stack.up(project.listen);
    assert.deepEqual(summary.resourceChanges, { same: 1, update: 2 });
    assert.match(await writtenFile(), new RegExp(encodeURIComponent(`${password}-2`)));
  });

  it("leaves no credential in state, outputs, history and events", async () => {
    const search = new LeakSearch([
      password,
      sandbox.connection.password,
      ...sandbox.issuedTokens,
      ...credentialsIn(sandbox.projects),
    ]);
    const { stdout: state } = await project.cli("stack", "export");
    assert.match(state, /"ciphertext"/);
    search.text("the exported state", state);
    search.text("the outputs", (await project.cli("stack", "output", "--json")).stdout);
    search.text("the history", (await project.cli("stack", "history", "--json")).stdout);
    search.text("the output of the engine", withoutPulumisOwn(project.heard()));
  });

  it("deletes the file when the stack is destroyed", async () => {
    await project.stack.destroy(project.listen);
    assert.equal(existsSync(join(project.directory, ".env")), false);
  });
});
