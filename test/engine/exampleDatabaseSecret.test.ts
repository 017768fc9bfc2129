import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { useEngine } from "../support/engineTest.js";
import { LeakSearch, withoutPulumisOwn } from "../support/leakSearch.js";
import type { Project } from "../support/workbench.js";

describe("the example database-secret, with the real engine", () => {
  const engine = useEngine({ sandboxFor: "suite" });
  let project: Project;
  before(async () => {
    project = await engine.example("database-secret");
    await configure(project);
  });

  async function configure(target: Project): Promise<void> {
    await target.configure(engine.sandbox);
    await target.setConfig({
      project: { value: "shop" },
      database: { value: "shop_live" },
    });
  }

  /** A password with characters that have a meaning in URLs, queries and shells. */
  const password = "c4nary:p@ss/w0rd?#&%20'$x";

  const writtenFile = () => readFile(join(project.directory, ".env"), "utf8");

  it("passes a URL to another resource, from which the credentials can be parsed", async () => {
    engine.liveDatabase().password = password;
    // An existing file that other users may read.
    await writeFile(join(project.directory, ".env"), "", { mode: 0o644 });
    await (await project.stack()).up(project.listen);
    const [, databaseUrl] = /^DATABASE_URL=(.*)\n$/.exec(await writtenFile()) ?? assert.fail();
    const url = new URL(databaseUrl as string);
    assert.equal(decodeURIComponent(url.username), engine.liveDatabase().username);
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
      content: "[secret]",
    });
    const shown = await project.cli("stack", "output", "content", "--json", "--show-secrets");
    assert.equal(JSON.parse(shown.stdout), await writtenFile());
  });

  it("passes on a rotated password", async () => {
    engine.liveDatabase().password = `${password}-2`;
    const { summary } = await (await project.stack()).up(project.listen);
    assert.deepEqual(summary.resourceChanges, { same: 1, update: 1 });
    const content = await project.cli("stack", "output", "content", "--json", "--show-secrets");
    assert.ok((await writtenFile()).includes(encodeURIComponent(`${password}-2`)));
    assert.equal(JSON.parse(content.stdout), await writtenFile(), "the output follows the change");
  });

  it("leaves no credential in state, outputs, history and events", async () => {
    const search = new LeakSearch([password, ...engine.secrets()]);
    const { stdout: state } = await project.cli("stack", "export");
    assert.equal(state.includes(encodeURIComponent(password)), false);
    assert.ok(isEncryptedIn(state, "variables"));
    assert.ok(isEncryptedIn(state, "content"));
    search.text("the exported state", state);
    search.text("the outputs", (await project.cli("stack", "output", "--json")).stdout);
    search.text("the history", (await project.cli("stack", "history", "--json")).stdout);
    search.text("the output of the engine", withoutPulumisOwn(project.heard()));
  });

  it("would have the password in the state in clear text without additionalSecretOutputs", async () => {
    const without = await engine.example("database-secret", undefined, "without-option");
    await configure(without);
    const program = join(without.directory, "index.ts");
    const text = await readFile(program, "utf8");
    const option = '{ additionalSecretOutputs: ["content"] }';
    assert.ok(text.includes(option));
    await writeFile(program, text.replace(option, "{}"));
    await without.succeed("up", "--yes", "--skip-preview");
    const { stdout: state } = await without.cli("stack", "export");
    assert.ok(isEncryptedIn(state, "variables"));
    assert.ok(!isEncryptedIn(state, "content"));
    assert.ok(state.includes(encodeURIComponent(engine.liveDatabase().password)));
  });

  /** Returns whether the state has the secrets of an output of the EnvFile encrypted. */
  function isEncryptedIn(state: string, output: "variables" | "content"): boolean {
    const { deployment } = JSON.parse(state) as {
      deployment: {
        resources: {
          id?: string;
          outputs?: { variables: { DATABASE_URL: object }; content: object };
        }[];
      };
    };
    const { outputs } = deployment.resources.find(({ id }) => id === ".env") ?? assert.fail();
    const { variables, content } = outputs ?? assert.fail();
    const secret = output === "variables" ? variables.DATABASE_URL : content;
    return Object.hasOwn(secret, "ciphertext");
  }

  it("deletes the file when the stack is destroyed", async () => {
    await project.succeed("destroy", "--yes", "--skip-preview");
    assert.equal(existsSync(join(project.directory, ".env")), false);
  });
});
