import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { type Sandbox, sampleProjects, startSandbox } from "../support/testSandbox.js";
import {
  getEnvironment,
  getProject,
  getProjectOutput,
  getProjects,
  type ReadOptions,
} from "../../sdk/index.js";
import { failureOf } from "../support/failure.js";
import { LeakSearch, secretsOf } from "../support/leakSearch.js";

/**
 * Pulumi serializes a closure with everything that it captures: into the state for a dynamic provider,
 * or into the cloud for a callback. It encrypts the text only if it finds a secret Output in it.
 */
describe("a closure that captures", () => {
  let sandbox: Sandbox;
  let opts: ReadOptions;
  before(async () => {
    sandbox = await startSandbox({ projects: sampleProjects().slice(0, 2) });
    opts = { connection: sandbox.connection };
  });
  after(() => sandbox.close());

  const search = () => new LeakSearch(secretsOf(sandbox));
  const database = () => {
    const [live] = sandbox.projects[0]!.projectEnvironments;
    return live!.projectEnvironmentDatabases.databases[0]!;
  };

  function serialize(closure: () => unknown) {
    return pulumi.runtime.serializeFunction(closure, { allowSecrets: true });
  }

  /** Runs the serialized text, as Pulumi does in another process. */
  function run({ text }: { text: string }): unknown {
    const exports: { handler?: () => unknown } = {};
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- as Pulumi does
    const load = new Function("exports", "require", text) as (...args: unknown[]) => void;
    load(exports, require);
    return exports.handler?.();
  }

  const shop = { name: "shop" } as const;
  const live = { ...shop, environmentId: "live" } as const;
  for (const [captured, read] of [
    ["a project", () => getProject(shop, opts)],
    ["a project as an Output", () => getProjectOutput(shop, opts)],
    ["a database", async () => (await getEnvironment(live, opts)).databases[0]],
    [
      "a repository with its import address",
      async () => (await getProject(shop, opts)).codeRepository,
    ],
    ["a list of projects", () => getProjects({ details: true }, opts)],
  ] as [string, () => unknown][]) {
    it(`${captured} is secret as a whole`, async () => {
      const value = await read();
      const { containsSecrets } = await serialize(() => value);
      assert.equal(containsSecrets, true);
    });
  }

  for (const [captured, read] of [
    [
      "a project without credentials",
      () => getProject({ ...shop, includeCredentials: false }, opts),
    ],
    ["a list in list form", () => getProjects({}, opts)],
    ["an error", () => failureOf(getProject({ name: "none" }, opts), "NOT_FOUND")],
  ] as [string, () => unknown][]) {
    it(`${captured} contains no credential and is plain`, async () => {
      const value = await read();
      const { text, containsSecrets } = await serialize(() => value);
      assert.equal(containsSecrets, false);
      search().text("the closure", text);
    });
  }

  it("a project is secret, even if it uses only a plain field", async () => {
    const project = await getProject(shop, opts);
    const closure = await serialize(() => project.environments[0]?.webroot);
    assert.equal(closure.containsSecrets, true);
    assert.equal(run(closure), "/var/www/shop/live/current/public");
  });

  it("a result reads the credential with get()", async () => {
    const project = await getProject(shop, opts);
    const output = getProjectOutput(shop, opts);
    const { password } = database();
    for (const [closure, expected] of [
      [() => project.environments[0]?.databases[0]?.password.get(), password],
      [() => output.get().environments[0]?.databases[0]?.password.get(), password],
    ] as const) {
      assert.equal(run(await serialize(closure)), expected);
    }
  });
});
