import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { programImports } from "../../support/engineTest.js";
import { type Sandbox, startSandbox } from "../../support/testSandbox.js";
import { closedPort } from "../../support/listen.js";
import { LeakSearch, secretsOf } from "../../support/leakSearch.js";
import { configOf, type Project, useWorkbench, type Workbench } from "../../support/workbench.js";

const canaries = {
  clientSecret: "c4nary-client-s3cret-Wk1PUFFS",
  header: "c4nary-gateway-k3y-S1RVVldY",
  wrongPassword: "c4nary-wr0ng-p4ssword-R0hJSktM",
};
const headers = JSON.stringify({ "X-Key": canaries.header });

const successful = `import { writeFileSync } from "node:fs";
${programImports}export const project = projectService.getProjectOutput({ name: "shop" });
export const live = projectService.getEnvironmentOutput({ projectId: "p-5", environmentId: "live" });
export const projects = projectService.getProjectsOutput().projects;
new pulumi.Stash("app", { input: { database: live.databases[0], webroot: live.webroot } });
new ProjectSnapshot("shop", { name: "shop", includeCredentials: true });
new ProjectsSnapshot("fleet", { includeCredentials: true });
project.apply(() => {
  const { environmentVariables, ...report } = process.report!.getReport() as unknown as Record<string, unknown>;
  writeFileSync("report.json", JSON.stringify(report));
});
`;

/** Lines in which Pulumi itself prints the secret inputs of a resource. */
const printedByPulumi = [
  /^[IWEF]\d{4} \d\d:\d\d:\d\d\.\d+ /, // the engine's own log, at high verbosity
  /(Register|Read)Resource RPC finished: resource:/, // debug lines of @pulumi/pulumi
];

/** Removes Pulumi's own lines from a log. */
function withoutPulumisOwn(log: string): string {
  return log
    .split("\n")
    .filter((line) => !printedByPulumi.some((pattern) => pattern.test(line)))
    .join("\n");
}

const loudly = ["--debug", "--logtostderr", "--logflow", "-v=11"];

describe("secrets on the real engine", () => {
  let workbench: Workbench;
  let sandbox: Sandbox;
  let nowhere: string;
  before(async function () {
    nowhere = await closedPort();
    workbench = await useWorkbench(this);
    sandbox = await startSandbox({ clientSecret: canaries.clientSecret });
  });
  after(() => sandbox?.close());

  /** Returns a search for all secrets so far: each run gets its own tokens. */
  const newSearch = () => new LeakSearch([...Object.values(canaries), ...secretsOf(sandbox)]);

  async function makeProject(name: string, program: string): Promise<Project> {
    const project = await workbench.project(name, { program });
    await project.configure(sandbox, { headers });
    return project;
  }

  it("do not leak from a successful run: logs at the highest level, events, state, history, report", async () => {
    const project = await makeProject("leaks", successful);
    const report = join(project.directory, "report.json");
    const events = join(project.directory, "events.json");
    project.environment["PULUMI_DEBUG_COMMANDS"] = "true"; // for the option --event-log
    const printed = await project.up(...loudly, "--event-log", events);
    const search = newSearch();
    assert.ok(sandbox.issuedTokens.length >= 2);
    search.text("the log", withoutPulumisOwn(printed));
    search.text("the events", withoutPulumisOwn(await readFile(events, "utf8")));
    search.text("the outputs", await project.succeed("stack", "output", "--json"));
    search.text("the process report", await readFile(report, "utf8"));
    const files = await project.backendFiles();
    assert.ok(files.length >= 3, files.join());
    for (const [path, text] of files) search.text(path, text);
  });

  it("do not leak from a run that fails: wrong password, wrong realm, no server, no TLS", async () => {
    /** The wrong settings, by the code of the error, which is also their namespace. */
    const causes = {
      LOGIN_REJECTED: { password: canaries.wrongPassword },
      LOGIN_RESPONSE_INVALID: { realm: "nowhere" },
      UNREACHABLE: { baseUrl: nowhere },
      TLS_FAILED: { authUrl: sandbox.connection.authUrl.replace("http:", "https:") },
    };
    const reads = Object.keys(causes).map(
      (code) => `projectService.getProjectOutput({ name: "shop" }, { connection: "${code}" });\n`,
    );
    const project = await makeProject("leaks-failing", programImports + reads.join(""));
    for (const [code, settings] of Object.entries(causes)) {
      await project.setConfig(configOf({ ...sandbox.connection, headers, ...settings }, code));
    }
    const printed = await project.failUp(...loudly);
    for (const code of Object.keys(causes)) assert.ok(printed.includes(`[${code}]`), code);
    const search = newSearch();
    search.text("the log", withoutPulumisOwn(printed));
    for (const [path, text] of await project.backendFiles()) search.text(path, text);
  });

  it("are found by the search, and by half", () => {
    const secret = sandbox.connection.password;
    for (const leak of [secret, secret.slice(0, 16), `x${secret.slice(16)}x`]) {
      assert.throws(() => newSearch().text("a log", `before ${leak} after`), /a log/);
    }
  });
});
