import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { followReadme, useEngine } from "../support/engineTest.js";
import { LeakSearch } from "../support/leakSearch.js";
import type { Project } from "../support/workbench.js";

describe("the example database-secret, with the real engine", () => {
  const engine = useEngine({ sandboxFor: "suite" });
  let project: Project;
  /** The output of both `pulumi up`. */
  let printed: string;
  before(async () => {
    project = await engine.example("database-secret");
    await project.configure(engine.sandbox);
  });

  /** A password with characters that have a meaning in URLs, queries and shells. */
  const password = "c4nary:p@ss/w0rd?#&%20'$x";

  const up = () => project.succeed("up", "--yes", "--skip-preview");
  const writtenFile = () => readFile(join(project.directory, ".env"), "utf8");

  it("passes a URL to another resource, from which the credentials can be parsed, and leaves none for git to stage", async () => {
    engine.liveDatabase().password = password;
    // An existing file that other users may read.
    await writeFile(join(project.directory, ".env"), "", { mode: 0o644 });
    const env = { ...process.env, ...project.environment, PULUMI_STACK: "test" };
    const followed = await followReadme(project.directory, env);
    printed = followed.printed;
    assert.deepEqual(engine.sandbox.leaksIn(followed.staged), []);
    const [, databaseUrl] = /^DATABASE_URL=(.*)\n$/.exec(await writtenFile()) ?? assert.fail();
    const url = new URL(databaseUrl as string);
    assert.equal(decodeURIComponent(url.username), engine.liveDatabase().username);
    assert.equal(decodeURIComponent(url.password), password);
    assert.equal(url.pathname, "/shop_live");
    assert.equal((await stat(join(project.directory, ".env"))).mode & 0o777, 0o600);
    const files = await readdir(project.directory);
    const written = files.filter((file) => file.startsWith(".env"));
    assert.deepEqual(written, [".env"]);
  });

  it("shows other fields in plain text, and values built from credentials as [secret]", async () => {
    const { stdout } = await project.cli("stack", "output", "--json");
    assert.deepEqual(JSON.parse(stdout), {
      path: ".env",
      webroot: "/var/www/shop/live/current/public",
      content: "[secret]",
    });
  });

  it("passes on a rotated password", async () => {
    engine.liveDatabase().password = `${password}-2`;
    const update = await up();
    assert.match(update, /~ 1 updated\n +1 unchanged/);
    printed += update;
    assert.ok((await writtenFile()).includes(encodeURIComponent(`${password}-2`)));
    const { content } = await project.outputs();
    assert.equal(content, await writtenFile(), "the output follows the change");
  });

  it("leaves no credential in state, outputs, history and what Pulumi prints", async () => {
    const search = new LeakSearch([password, ...engine.secrets()]);
    const state = await project.state();
    assert.equal(state.includes(encodeURIComponent(password)), false);
    const resources = await project.resources();
    const { outputs } = resources.find(({ id }) => id === ".env") ?? assert.fail();
    const { variables, content } = outputs as {
      variables: { DATABASE_URL: object };
      content: object;
    };
    for (const secret of [variables.DATABASE_URL, content]) assert.ok("ciphertext" in secret);
    search.text("the state", state);
    search.text("the outputs", (await project.cli("stack", "output", "--json")).stdout);
    search.text("the history", (await project.cli("stack", "history", "--json")).stdout);
    search.text("the output of the engine", printed);
  });

  it("deletes the file when the stack is destroyed", async () => {
    await project.succeed("destroy", "--yes", "--skip-preview");
    assert.equal(existsSync(join(project.directory, ".env")), false);
  });
});
