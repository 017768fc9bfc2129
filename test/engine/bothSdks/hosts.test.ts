import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { programImports, useEngine } from "../../support/engineTest.js";
import { InlineHost, type InlineOperation } from "../../support/inlineHost.js";
import { type Sandbox, startSandbox } from "../../support/testSandbox.js";
import type { Project } from "../../support/workbench.js";

/** The first lines of each inline program. Its host defines `pulumi`, `projectService` and `loadOtherCopy`. */
const declarations = `
const {
  getProject, getProjects, getEnvironment, getDatabase, databaseUrl, pipelineOutputs,
  getProjectOutput, getProjectsOutput, getEnvironmentOutput, getDatabaseOutput,
} = projectService;
class Made extends pulumi.ComponentResource {
  constructor(name, opts) {
    super("test:Made", name, {}, opts);
    this.registerOutputs({});
  }
}
const later = (value, ms) => new Promise((resolve) => setTimeout(() => resolve(value), ms));
const shop = { name: "shop" };
const live = { name: "shop", environmentId: "live" };
const database = { name: "shop", environmentId: "live", databaseName: "shop_live" };
const address = { protocol: "mysql", host: "db.example.com" };
`;

/** How programs call `make` (see `making`) with the result of each function, without await and without export. */
const readings: Record<string, string> = {
  getProject: "getProject(shop).then(make);",
  getProjects: "getProjects().then(make);",
  getProjectsWithDetails: "getProjects({ details: true }).then(make);",
  getEnvironment: "getEnvironment(live).then(make);",
  getDatabase: "getDatabase(database).then(make);",
  getProjectOutput: "getProjectOutput(shop).apply(make);",
  getProjectsOutput: "getProjectsOutput().apply(make);",
  getEnvironmentOutput: "getEnvironmentOutput(live).apply(make);",
  getDatabaseOutput: "getDatabaseOutput(database).apply(make);",
  databaseUrl: "databaseUrl(getDatabase(database), address).apply(make);",
  pipelineOutputs: "pipelineOutputs(getProject(shop)).project.apply(make);",
  insideApply: "pulumi.output(shop).apply((key) => getProject(key)).apply(make);",
  lateArgument: 'getProjectOutput({ name: later("shop", 200) }).apply(make);',
  oneAfterAnother: `getProjectsOutput()
    .apply(({ projects }) => getProject({ projectId: projects[0].projectId }))
    .apply(make);`,
};

/** Makes a resource from a result of one function. */
const making = (resource: string, reading: string) =>
  `{ const make = () => void new Made("${resource}"); ${reading} }\n`;

/** Makes a resource from the result of each function, named after it. */
const everything = Object.entries(readings)
  .map(([name, reading]) => making(name, reading))
  .join("");

/** Records a project and all projects, and makes resources that depend on them. */
const snapshots = `
const recorded = new projectService.ProjectSnapshot("shop", { name: "shop" });
const fleet = new projectService.ProjectsSnapshot("fleet");
new Made("afterShop", { dependsOn: recorded });
fleet.projects.apply((projects) => {
  for (const projectId of Object.keys(projects)) new Made(projectId);
});
getProjectOutput({ projectId: recorded.projectId }).apply(({ name }) => new Made(name));
`;

/** Programs in which a callback, a call, or the read of a resource fails. They make nothing: a success would delete `made`. */
const failingPrograms: Record<string, readonly [program: string, error: RegExp]> = {
  "the callback of a Promise": [
    'getProject(shop).then(() => { throw new Error("The callback fails"); });',
    /The callback fails/,
  ],
  "the callback of an Output": [
    'getProjectsOutput().apply(() => { throw new Error("The callback fails"); });',
    /The callback fails/,
  ],
  "a call with wrong arguments inside apply": [
    'pulumi.output(1).apply(() => getProjectsOutput({ nme: "shop" }));',
    /ARGUMENT_INVALID/,
  ],
  "a wrong snapshot inside apply": [
    'pulumi.output(1).apply(() => void new projectService.ProjectSnapshot("wrong", { nme: "shop" }));',
    /ARGUMENT_INVALID/,
  ],
  "a call without settings": [
    'getProject(shop, { connection: "other" });',
    /An inline program has the variables of its own process/,
  ],
  "the read of a snapshot whose output it returns": [
    'return { domain: new projectService.ProjectSnapshot("missing", { name: "missing" }).domain };',
    /NOT_FOUND.*"missing"/,
  ],
  "wrong pipeline outputs inside apply": [
    'pulumi.output(1).apply(() => pipelineOutputs({ nme: "shop" }).project);',
    /ARGUMENT_INVALID/,
  ],
};

/** Programs of which a part still runs when the engine has ended. */
const lateFailures: Record<string, readonly [program: string, error: RegExp]> = {
  "a resource fails whose output is an argument": [
    `class Failing extends pulumi.dynamic.Resource {
      constructor(name) {
        super({ create: () => Promise.reject(new Error("The resource fails")) }, name, { made: undefined });
      }
    }
    getProjectOutput({ name: new Failing("failing").made }).apply(() => new Made("made"));`,
    /The resource fails/,
  ],
  "it throws before a read with a late argument starts": [
    `getProjectOutput({ name: later("missing", 1_000) }).apply(() => new Made("made"));
    throw new Error("The program throws");`,
    /The program throws/,
  ],
  "reads with two copies of the package fail, one after the other": [
    `getProject({ name: "missing" }).then(() => new Made("made"));
    loadOtherCopy().getProjectOutput({ name: later("missing-late", 1_500) }).apply(() => new Made("other"));`,
    /NOT_FOUND.*"missing"/,
  ],
};

/** How a service behaves, and the error of the reads from it, if they fail. */
interface ServiceCase {
  readonly name: string;
  readonly change?: (sandbox: Sandbox) => unknown;
  readonly error?: RegExp;
  readonly timeoutSeconds?: string;
}

const forbidding: ServiceCase = {
  name: "forbidding",
  change: (sandbox) => sandbox.failNext({ status: 403, times: Infinity }),
  error: /ProjectServiceError \[FORBIDDEN\]/,
};

const services: readonly ServiceCase[] = [
  { name: "slow by 2 s", change: (sandbox) => (sandbox.latencyMs = 2_000) },
  {
    name: "silent",
    change: (sandbox) => (sandbox.latencyMs = 60_000),
    error: /ProjectServiceError \[TIMEOUT\]/,
    timeoutSeconds: "1",
  },
];

const operations = ["preview", "up"] as const;

/** Returns the URNs in the state of a stack. */
async function resourcesOf(project: Project): Promise<string[]> {
  return (await project.resources()).map(({ urn }) => urn).sort();
}

/** Runs a program that must keep the resources of its stack, and succeeds or fails with the error. */
async function assertKeeps<T extends { failed: boolean; printed: string }>(
  project: Project,
  runProgram: () => Promise<T>,
  error: RegExp | undefined,
): Promise<T> {
  const before = await resourcesOf(project);
  assert.match(before.join(), /test:Made::/, "there is a resource to keep");
  const result = await runProgram();
  const { failed, printed } = result;
  assert.deepEqual(await resourcesOf(project), before, printed);
  assert.equal(failed, error !== undefined, printed);
  assert.doesNotMatch(printed, /to (create|delete)/, "a preview finds all resources");
  if (error !== undefined) assert.match(printed, error);
  return result;
}

/*
 * The programs wait for nothing. The engine deletes a resource that a program does not register, so no
 * read may be lost.
 */
describe("a program that does not wait for its reads", () => {
  const engine = useEngine({ sandboxFor: "test" });
  let host: InlineHost;

  const startHost = () => (host = new InlineHost(engine.workbench));
  const assertHostClosesQuietly = async () =>
    assert.equal(await host.close(), "", "the host prints nothing itself");

  const runInHost = (project: Project, program: string, operation?: InlineOperation) =>
    host.run(project, declarations + program, operation);

  /** Makes a stack with the resources of an inline program. */
  async function makeStack(name: string, program: string): Promise<Project> {
    const project = await engine.workbench.project(name, { program: "" });
    const sandbox = await startSandbox();
    await project.configure(sandbox);
    const { failed, printed } = await runInHost(project, program);
    assert.ok(!failed, printed);
    await sandbox.close();
    return project;
  }

  async function assertKeepsInline(
    project: Project,
    program: string,
    operation: InlineOperation,
    error?: RegExp,
  ): Promise<void> {
    const run = () => runInHost(project, program, operation);
    const { leftListeners } = await assertKeeps(project, run, error);
    assert.equal(leftListeners, 0, "Pulumi does not hide errors of the host later");
  }

  async function assertKeepsFromCommandLine(
    project: Project,
    error: RegExp | undefined,
  ): Promise<void> {
    const run = async () => {
      const { code, stdout, stderr } = await project.cli("up", "--yes", "--skip-preview");
      return { failed: code !== 0, printed: stdout + stderr };
    };
    await assertKeeps(project, run, error);
  }

  /** Changes the service, and configures stacks for it. */
  async function begin(service: ServiceCase, ...projects: Project[]): Promise<void> {
    const { change, timeoutSeconds = "15" } = service;
    for (const project of projects) await project.configure(engine.sandbox, { timeoutSeconds });
    await change?.(engine.sandbox);
  }

  describe("and runs inline, one after another in one process", () => {
    const program = making("made", readings["getProject"] ?? "");
    let project: Project;
    before(async () => {
      startHost();
      project = await makeStack("inline-host", program);
    });
    after(assertHostClosesQuietly);

    for (const [name, reading] of Object.entries(readings)) {
      it(`keeps the resources of ${name} when the service denies access`, async () => {
        await begin(forbidding, project);
        await assertKeepsInline(project, making("made", reading), "up", forbidding.error);
      });
    }

    for (const [name, [failing, error]] of Object.entries(failingPrograms)) {
      it(`keeps the resources if this fails: ${name}`, async () => {
        await begin({ name: "healthy" }, project);
        await assertKeepsInline(project, failing, "up", error);
      });
    }

    // The host itself must print nothing and live on, which `assertHostClosesQuietly` shows.
    for (const [name, [failing, error]] of Object.entries(lateFailures)) {
      it(`keeps the resources and the host if ${name}`, async () => {
        await begin({ name: "healthy" }, project);
        const before = await resourcesOf(project);
        const failure = await runInHost(project, failing);
        assert.ok(failure.failed);
        assert.match(failure.printed, error);
        await sleep(2_000); // until the late reads would have ended
        const { failed, printed, leftListeners } = await runInHost(project, program);
        assert.ok(!failed, printed);
        assert.equal(leftListeners, 0);
        assert.deepEqual(await resourcesOf(project), before);
      });
    }

    it("keeps what it made from the outputs of another stack", async () => {
      const source = await engine.workbench.project("source", {
        program: `
import { getProject, pipelineOutputs } from "pulumi-project-service";
export const { project, credentials } = pipelineOutputs(getProject({ name: "shop" }));
`,
      });
      await source.configure(engine.sandbox);
      await source.succeed("up", "--yes", "--skip-preview");
      const reader = await engine.workbench.project("inline-reader", { program: "" }, source);
      const readingOutputs = `
const source = new pulumi.StackReference("organization/source/test");
projectService.readPipelineOutputs(source).project.apply(() => new Made("made"));
`;
      await runInHost(reader, readingOutputs);
      await assertKeepsInline(reader, readingOutputs, "up");
    });
  });

  describe("and uses everything", () => {
    let reading: Project;
    let recording: Project;
    let fromCommandLine: Project;

    before(async () => {
      startHost();
      [reading, recording] = await Promise.all([
        makeStack("everything", everything),
        makeStack("snapshots", snapshots),
      ]);
      const program = programImports + declarations + everything + snapshots;
      fromCommandLine = await engine.workbench.project("command-line", { program });
      const sandbox = await startSandbox();
      await fromCommandLine.configure(sandbox);
      await fromCommandLine.succeed("up", "--yes", "--skip-preview");
      await sandbox.close();
    });

    it("keeps the resources of each program if one of several fails", async () => {
      const slow = await startSandbox();
      slow.latencyMs = 200;
      await reading.configure(slow);
      await begin(forbidding, recording);
      const [before, beforeInOther] = await Promise.all([recording, reading].map(resourcesOf));
      // Pulumi reports an error that nobody awaits to every program that runs in the process, so both can fail.
      const [{ failed }] = await Promise.all([
        runInHost(recording, snapshots),
        runInHost(reading, everything),
      ]);
      assert.ok(failed);
      assert.deepEqual(await resourcesOf(recording), before);
      assert.deepEqual(await resourcesOf(reading), beforeInOther);
      await slow.close();
    });

    for (const service of services) {
      describe(`in a new process, when the service is ${service.name}`, () => {
        before(async () => {
          await assertHostClosesQuietly();
          startHost();
        });
        // A preview ends like an update, so the failing reads need no preview of their own.
        for (const operation of service.error === undefined ? operations : operations.slice(1)) {
          it(`keeps all resources in ${operation}`, async () => {
            await begin(service, reading, recording, fromCommandLine);
            await Promise.all([
              assertKeepsInline(reading, everything, operation, service.error),
              assertKeepsInline(recording, snapshots, operation, service.error),
              // Previews from the command line are in exampleReact.test.ts.
              operation === "up" && assertKeepsFromCommandLine(fromCommandLine, service.error),
            ]);
          });
        }
      });
    }

    it("keeps the resources in a refresh", async () => {
      await begin({ name: "healthy", timeoutSeconds: "1" }, recording);
      // A refresh takes the settings of the last command that ran the program: a timeout of 1 s.
      await assertKeepsInline(recording, snapshots, "up");
      engine.sandbox.latencyMs = 200;
      await assertKeepsInline(recording, snapshots, "refresh");
      engine.sandbox.latencyMs = 60_000;
      await assertKeepsInline(recording, snapshots, "refresh", /TIMEOUT/);
    });

    after("destroys the stacks, for which it needs no service", async () => {
      for (const project of [reading, recording]) {
        const { failed, printed } = await runInHost(project, "", "destroy");
        assert.ok(!failed, printed);
        assert.deepEqual(await resourcesOf(project), []);
      }
      await assertHostClosesQuietly();
    });
  });
});
