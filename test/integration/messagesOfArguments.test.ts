import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import * as policies from "../../audit/policies.js";
import * as sdk from "../../sdk/index.js";
import { assertMessages, callsOf, type Case } from "./errorMessages.js";
import { connectionTo } from "../support/scriptedServer.js";
import { setConfig } from "../support/stackConfig.js";
import { startSandbox } from "../support/testSandbox.js";

type Untyped<T> = {
  [Name in keyof T]: T[Name] extends abstract new (...args: never) => unknown
    ? new (...args: unknown[]) => unknown
    : (...args: unknown[]) => unknown;
};

/** The functions and classes of the package, which the compiler lets anybody call with wrong arguments. */
const {
  getProject,
  getProjectOutput,
  getProjects,
  getProjectsOutput,
  getEnvironment,
  getEnvironmentOutput,
  getDatabase,
  databaseUrl,
  pipelineOutputs,
  ProjectSnapshot,
  ProjectsSnapshot,
} = sdk as unknown as Untyped<typeof sdk>;
const { builtInRules, defineRule, auditProject, recordedProjects, violated } =
  policies as unknown as Untyped<typeof policies>;

const shop = { projectId: "p-1", name: "shop", environments: [] };
const rule = { name: "tagged-releases", description: "d", reason: "r", remedy: "r" };
const problem = { state: "violated", subject: "x", message: "x" };

const database = { name: "n", username: "u", password: "c4nary" };

const wrongCalls: readonly (() => unknown)[] = [
  () => getProject(),
  () => getProject({}),
  () => getProject({ name: undefined }),
  () => getProject({ name: "" }),
  () => getProject({ projectId: 1 }),
  () => getProject({ projectId: ".." }),
  () => getProject({ projectId: "p-1", name: "shop" }),
  () => getProject({ projectID: "p-1" }),
  () => getProject({ name: "shop", includeCredentials: "no" }),
  () => getProject({ name: pulumi.output("shop") }),
  () => getProject({ name: "shop", connection: {} }),
  () => getProject({ name: "shop" }, { retries: 3 }),
  () => getProject({ name: "shop" }, { dependsOn: [] }),
  () => getProject({ name: "shop" }, null),
  () => getProject({ name: "shop" }, { connection: 7 }),
  () => getProject({ name: "shop" }, { connection: "a:b" }),
  () => getProject({ name: "shop" }, { connection: { password: pulumi.secret("c4nary") } }),
  () => getProjectOutput(pulumi.output({ name: "shop" })),
  () => getProjectOutput({ name: "shop", includeCredentials: pulumi.output(true) }),
  () => getProjectOutput({ name: pulumi.output(7) }),
  () => getEnvironment({ name: "shop" }),
  () => getEnvironmentOutput({ environment: "live" }),
  () => getDatabase({ name: "shop" }),
  () => getProjects({ filter: "shop" }),
  () => getProjects({ onInaccessible: "skip" }),
  () => getProjects({ details: true, onInaccessible: "ignore" }),
  () => getProjects({ includeCredentials: false }),
  () => getProjects({ filters: [{ key: "nmae", values: ["a"] }] }),
  () => getProjects({ filters: [{ key: "codeRepository.group", values: ["a"] }] }),
  () =>
    getProjects({
      details: true,
      filters: [{ key: "environments.databases.password", values: ["a"] }],
    }),
  () => getProjects({ filters: [{ key: "name", values: [] }] }),
  () => getProjects({ filters: [{ key: "name", values: "shop" }] }),
  () => getProjects({ filters: [{ key: "name", value: "shop" }] }),
  () => getProjects({ filters: [{ key: "name", values: ["a"], matchBy: "regex" }] }),
  () => getProjects({ filters: [{ key: "name", values: [""], matchBy: "substring" }] }),
  () => getProjects({ details: true, filters: [{ key: "environments.order", values: [NaN] }] }),
  () => getProjects({ filters: [{ key: "name", values: [pulumi.output("shop")] }] }),
  () => getProjects({ filters: [{ key: "name", values: ["a"], matchBy: pulumi.output("exact") }] }),
  () => getProjectsOutput({}, { connections: {} }),
  () => getProjectsOutput({ filters: pulumi.output([]) }),
  () => getProjectsOutput({ details: pulumi.output(true) }),
  () => databaseUrl(undefined, { protocol: "mysql", host: "db" }),
  () => databaseUrl({ name: "n" }, { protocol: "mysql", host: "db" }),
  () => databaseUrl(database, { protocol: "mysql://", host: "db" }),
  () => databaseUrl(database, { protocol: "mysql", host: "db:3306" }),
  () => databaseUrl(database, { protocol: "mysql", host: "fe80::1%eth0" }),
  () => databaseUrl(database, { protocol: "mysql", host: "db", query: { "c4nary\ud800": "x" } }),
  () => databaseUrl(database, { protocol: "mysql", host: "db", port: 65_536 }),
  () => databaseUrl({ ...database, password: "c4nary\ud800" }, { protocol: "mysql", host: "db" }),
  () => databaseUrl(database, { protocol: "mysql", host: "db", user: "x" }),
  () => String(databaseUrl(database, { protocol: "mysql", host: "db" })),
  () => pipelineOutputs(5),
  () => pipelineOutputs({ projectId: "p-1", name: "shop" }),
  () =>
    pipelineOutputs({ projectId: "p-1", environments: [{ environmentId: "live", webroot: "/" }] }),
  () => new ProjectSnapshot("a"),
  () => new ProjectSnapshot("a", {}),
  () => new ProjectSnapshot("a", { nmae: "a" }),
  () => new ProjectSnapshot("a", { name: "a", connection: {} }),
  () => new ProjectSnapshot("a", { name: "a" }, { connection: "b" }),
  () => new ProjectSnapshot("a", { name: "a" }, { import: "p-1" }),
  () => new ProjectsSnapshot("a", null),
  () => new ProjectsSnapshot("a", { fields: [] }),
  () => new ProjectsSnapshot("a", { fields: ["stauts"] }),
  () => new ProjectsSnapshot("a", {}, { import: "a" }),
  () => new ProjectsSnapshot("a", {}, { replaceOnChanges: ["projects"] }),
  () => new ProjectsSnapshot("a", {}, { replacementTrigger: "b" }),
  () => new ProjectsSnapshot("a", {}, { replaceWith: [] }),
  () => new ProjectsSnapshot("a", {}, { connection: "b" }),
  () => new ProjectsSnapshot("a", {}, { id: "a" }),
  // What the engine does not see, and what it counts by position.
  () => new ProjectsSnapshot("a", {}, { ignoreChanges: ["status"] }),
  () => new ProjectsSnapshot("a", {}, { ignoreChanges: ["*"] }),
  () => new ProjectsSnapshot("a", {}, { ignoreChanges: ['projects["p-2"].status'] }),
  () => new ProjectsSnapshot("a", {}, { ignoreChanges: ["projects[*].environments"] }),
  () => new ProjectsSnapshot("a", {}, { ignoreChanges: ["projects[*].environments.live.webroot"] }),
  () => new ProjectsSnapshot("a", {}, { ignoreChanges: ['credentials["p-1"]'] }),
  () => new ProjectSnapshot("a", { name: "a" }, { ignoreChanges: ["environments[0]"] }),
  () => new ProjectSnapshot("a", { name: "a" }, { ignoreChanges: ["environments[*].currentTag"] }),
  () => new ProjectSnapshot("a", { name: "a" }, { ignoreChanges: ["credentials.databases"] }),
  () => new ProjectSnapshot("a", { name: "a" }, { ignoreChanges: ["*.webroot"] }),
  () => builtInRules({ linkedAssets: {} }),
  () => builtInRules({ keptDeployments: true }),
  () => builtInRules({ keptDeployments: { minimun: 3 } }),
  () => builtInRules({ keptDeployments: { minimum: "3" } }),
  () => builtInRules({ restrictedDatabases: { environments: [] } }),
  () => builtInRules({ webrootLocation: { folders: ["/a/.."] } }),
  () => builtInRules({ unsharedDatabases: { level: null } }),
  () => defineRule({ name: "taggedReleases" }),
  () => defineRule({ name: "tagged-releases", level: "fatal" }),
  () => defineRule({ name: "tagged-releases", environments: "live" }),
  () => defineRule({ name: "tagged-releases", checkProject: () => [] }),
  () => auditProject(shop, [{ name: "tagged-releases" }]),
  () => auditProject(shop, [{ ...rule, checkProject: () => Promise.resolve([]) }]),
  () =>
    auditProject(shop, [{ ...rule, checkProject: () => [violated("x", { projectId: "p-2" })] }]),
  () =>
    auditProject(shop, [{ ...rule, checkProject: () => [problem, { ...problem, message: "y" }] }]),
  () => auditProject(shop, [], { accepted: { version: 1, accepted: [{}] } }),
  () => auditProject({}, []),
  () => recordedProjects("pulumi-nodejs:dynamic/project-service:ProjectsSnapshot", {}),
];

const wrongSettings: readonly object[] = [
  { baseUrl: undefined },
  { baseUrl: "nowhere" },
  { baseUrl: "http://api.example.com" },
  { baseUrl: "https://u:c4nary@api.example.com" },
  { baseUrl: "https://api.example.com?key=c4nary" },
  { authUrl: 7 },
  { realm: ".." },
  { clientId: "" },
  { timeoutSeconds: 0 },
  { maxConcurrency: 1.5 },
  { insecureHttp: "perhaps" },
  { caCertificate: "/no/such/ca.pem" },
  { caCertificate: "-----BEGIN CERTIFICATE-----\\nc4nary\\n-----END CERTIFICATE-----\\n" },
  { caCertificate: "-----BEGIN CERTIFICATE-----\nc4nary\n-----END CERTIFICATE-----" },
  { caCertificate: "-----BEGIN c4nary" },
  { headers: "c4nary" },
  { headers: { "a b": "c4nary" } },
  { headers: { Authorization: "c4nary" } },
  { headers: { accept: "c4nary" } },
  { headers: { "X-HTTP-Method-Override": "c4nary" } },
  { headers: { a: "c4nary\n" } },
  { baseURL: "https://c4nary.example.com", userName: "c4nary" },
];

describe("messages of errors in a program", () => {
  afterEach(() => {
    pulumi.runtime.setAllConfig({});
    delete process.env["PROJECT_SERVICE_BASE_URL"];
    delete process.env["PROJECT_SERVICE_AUTH_URL"];
    delete process.env["PROJECT_SERVICE_PASSWORD"];
  });

  it("of wrong arguments, which send no request", async () => {
    const sandbox = await startSandbox();
    after(() => sandbox.close());
    setConfig(sandbox.connection);
    const requests = { ...sandbox.counters };
    await assertMessages("Arguments", callsOf(wrongCalls));
    assert.deepEqual({ ...sandbox.counters }, requests);
  });

  it("of wrong settings", async () => {
    const authUrl = "https://login.example.com";
    const complete = connectionTo("https://api.example.com", { authUrl });
    const read = (connection: object) => getProject({ projectId: "p-1" }, { connection });
    const readAsConfigured = () => getProject({ projectId: "p-1" });
    const wrong = wrongSettings.map((changes): Case => {
      const shown = JSON.stringify(changes, (_key, value: unknown) => value ?? null);
      return [`settings ${shown}`, () => read({ ...complete, ...changes })];
    });
    const required = ["baseUrl", "authUrl", "realm", "clientId", "username", "password"];
    const missing = required.map((key): Case => {
      const { [key]: _, ...rest } = complete as Record<string, unknown>;
      return [`settings without ${key}`, () => read(rest)];
    });
    const ofConfig = () => {
      setConfig({ baseUrl: "https://api.example.com" });
      return readAsConfigured();
    };
    const ofBoth = () => {
      process.env["PROJECT_SERVICE_BASE_URL"] = "https://other.example.com";
      process.env["PROJECT_SERVICE_AUTH_URL"] = "https://other.example.com";
      process.env["PROJECT_SERVICE_PASSWORD"] = "c4nary";
      return readAsConfigured();
    };
    const ofPassword = () => {
      setConfig({ password: "c4nary" });
      return readAsConfigured();
    };
    const arrivingLater = () => {
      const connection = { ...complete, timeoutSeconds: pulumi.output(-1) };
      return getProjectOutput({ projectId: "p-1" }, { connection });
    };
    await assertMessages("Settings", [
      ...wrong,
      ["a setting that arrives later", arrivingLater],
      ...missing,
      ["no settings", readAsConfigured],
      [
        "a namespace without settings",
        () => getProject({ projectId: "p-1" }, { connection: "second" }),
      ],
      [
        "a namespace without variables",
        () => getProject({ projectId: "p-1" }, { connection: "My" }),
      ],
      ["a password of the config without addresses", ofPassword],
      ["settings of the config alone", ofConfig],
      ["settings of the config, and of the environment for another server", ofBoth],
    ]);
  });
});
