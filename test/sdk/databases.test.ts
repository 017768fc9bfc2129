import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import {
  type Sandbox,
  type SandboxDatabase,
  sampleProjects,
  startSandbox,
} from "../../sandbox/index.js";
import { databaseUrl, getDatabase, getDatabaseOutput, type ReadOptions } from "../../sdk/index.js";
import { failureOf } from "../support/failure.js";
import { setAt } from "../support/project.js";
import { settled } from "../support/settled.js";

describe("getDatabase", () => {
  let sandbox: Sandbox;
  let opts: ReadOptions;
  let databases: SandboxDatabase[];
  beforeEach(async () => {
    sandbox = await startSandbox({ projects: sampleProjects().slice(0, 2) });
    opts = { connection: sandbox.connection };
    ({ databases } = sandbox.projects[0]!.projectEnvironments[0]!.projectEnvironmentDatabases);
  });
  afterEach(() => sandbox.close());

  const live0 = ["projectEnvironments", 0, "projectEnvironmentDatabases"] as const;
  const live = { name: "shop", environmentId: "live" } as const;

  it("reads a database by name, with project, environment and secret credentials", async () => {
    const database = await getDatabase({ ...live, databaseName: "shop_search_live" }, opts);
    const { username, password, ...fields } = database;
    const inClear = databases.find(({ name }) => name === "shop_search_live")!;
    const { username: user, password: word, ...plain } = inClear;
    const place = { projectId: "p-1", projectName: "shop", environmentId: "live" };
    assert.deepEqual(fields, { ...plain, ...place });
    assert.deepEqual(await settled(username), { value: user, secret: true });
    assert.deepEqual(await settled(password), { value: word, secret: true });
  });

  for (const [what, remove] of [
    ["databases", (shop: object) => setAt(shop, [...live0, "databases"], undefined)],
    ["environments", (shop: object) => setAt(shop, ["projectEnvironments"], undefined)],
  ] as const) {
    it(`fails if the service omits the ${what}, also with a secret name`, async () => {
      remove(sandbox.projects[0]!);
      const { message } = await failureOf(getDatabase(live, opts), "RESPONSE_INVALID");
      assert.match(message, /omits/);
      assert.match(message, /p-1/);
      const secret = getDatabaseOutput({ ...live, name: pulumi.secret("shop") }, opts);
      const { message: hidden } = await failureOf(settled(secret), "RESPONSE_INVALID");
      assert.doesNotMatch(hidden, /p-1|shop/);
    });
  }

  it("does not choose between databases with the same name, and needs no name of a single one", async () => {
    for (const database of databases) database.name = "same";
    const read = getDatabase({ ...live, databaseName: "same" }, opts);
    await failureOf(read, "AMBIGUOUS_NAME");
    databases.splice(1);
    assert.equal((await getDatabase(live, opts)).name, "same");
  });

  it("takes Inputs in Output form", async () => {
    const name = pulumi.output("shop_live");
    const database = getDatabaseOutput({ ...live, databaseName: name }, opts);
    assert.deepEqual(await settled(database.name), { value: "shop_live", secret: false });
    const { password } = databases.find((each) => each.name === "shop_live")!;
    assert.deepEqual(await settled(database.password), { value: password, secret: true });
  });
});

describe("databaseUrl", () => {
  const database = {
    name: "a/b?c",
    username: pulumi.secret("u@s:er"),
    password: pulumi.secret("b5qCEXlN/Zi+86%#é"),
  };

  it("encodes every part, so that a URL parser reads the same values", async () => {
    const output = databaseUrl(database, { protocol: "mysql", host: "db.example.com", port: 3306 });
    const { value, secret } = await settled(output);
    const url = new URL(value);
    assert.equal(secret, true);
    assert.equal(url.protocol, "mysql:");
    assert.equal(url.host, "db.example.com:3306");
    assert.equal(decodeURIComponent(url.username), "u@s:er");
    assert.equal(decodeURIComponent(url.password), "b5qCEXlN/Zi+86%#é");
    assert.equal(decodeURIComponent(url.pathname), "/a/b?c");
  });

  it("has parameters, which are encoded too", async () => {
    const query = { sslmode: "require", "a b": pulumi.output("c&d+ü") };
    const url = databaseUrl(database, { protocol: "postgresql", host: "db", query });
    const { searchParams, search } = new URL((await settled(url)).value);
    assert.deepEqual(Object.fromEntries(searchParams), { sslmode: "require", "a b": "c&d+ü" });
    assert.equal(search, "?sslmode=require&a%20b=c%26d%2B%C3%BC");
    const options = { protocol: "mysql", host: "db", query: { charset: 7 as never } };
    assert.throws(
      () => databaseUrl(database, options),
      /charset.* of databaseUrl must be a string/,
    );
  });

  it("is secret even if nothing in it is", async () => {
    const plain = { name: "n", username: "u", password: "p" };
    const output = databaseUrl(pulumi.output(plain), { protocol: "postgresql", host: "::1" });
    assert.deepEqual(await settled(output), { value: "postgresql://u:p@[::1]/n", secret: true });
  });

  it("takes Outputs for every part", async () => {
    const options = {
      protocol: pulumi.output("mysql"),
      host: Promise.resolve("10.0.0.1"),
      port: pulumi.output(1),
      query: pulumi.output(undefined),
    };
    const url = databaseUrl(Promise.resolve(database), options);
    assert.throws(
      () => encodeURIComponent(url as unknown as string),
      /^ProjectServiceError.*: url is a secret Output/,
    );
    const { value } = await settled(url);
    assert.match(value, /^mysql:\/\/.*@10\.0\.0\.1:1\//);
  });

  it("checks Outputs when they are known", async () => {
    const options = { protocol: "mysql", host: "db" };
    const url = databaseUrl(pulumi.output({ ...database, username: 7 as never }), options);
    await assert.rejects(settled(url), /username of databaseUrl must be a string/);
    const port = pulumi.output(0);
    await assert.rejects(settled(databaseUrl(database, { ...options, port })), /port of/);
  });
});
