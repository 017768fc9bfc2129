import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { useEngine } from "../../support/engineTest.js";
import type { Project } from "../../support/workbench.js";
import { InlineHost, type InlineOperation } from "./inlineHost.js";

/** The first lines of each inline program. Its host defines `pulumi`, `projectService` and `loadOtherCopy`. */
const declarations = `
const { getProject, getProjectOutput, getProjectsOutput, getDatabase, databaseUrl, pipelineOutputs } = projectService;
class Made extends pulumi.ComponentResource {
  constructor(name, opts) {
    super("test:Made", name, {}, opts);
    this.registerOutputs({});
  }
}
const later = (get, ms = 2_000) => new Promise((resolve) => setTimeout(resolve, ms)).then(get);
const shop = { name: "shop" };
const database = { name: "shop", environmentId: "live", databaseName: "shop_live" };
const address = { protocol: "mysql", host: "db.example.com" };
`;

/**
 * How programs call `make` (see `making`) with a result, without await and without export. A late source or argument
 * comes when the engine would have ended, if the program did not wait.
 */
const readings: Record<string, string> = {
  getProject: "getProject(shop).then(make);",
  getProjectOutput: "getProjectOutput(shop).apply(make);",
  databaseUrl: "databaseUrl(later(() => getDatabase(database)), address).apply(make);",
  pipelineOutputs: "pipelineOutputs(later(() => getProject(shop))).project.apply(make);",
  insideApply: "pulumi.output(shop).apply((key) => getProject(key)).apply(make);",
  lateArgument: 'getProjectOutput({ name: later(() => "shop") }).apply(make);',
  oneAfterAnother: `getProjectsOutput()
    .apply(({ projects }) => getProject({ projectId: projects[0].projectId }))
    .apply(make);`,
};

/** Makes a resource from a result. */
const making = (resource: string, reading: string) =>
  `{ const make = () => void new Made("${resource}"); ${reading} }\n`;

/** Makes a resource from each result, named after the reading. */
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

/** Programs that fail in a callback, in a call, or in the read of a resource. They make nothing: a success would delete `made`. */
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
  "a call without settings": [
    'getProject(shop, { connection: "other" });',
    /An inline program has the variables of its own process/,
  ],
  "a read, while a resource waits for another read": [
    `new projectService.ProjectSnapshot("waiting", { name: later(() => "shop", 500) });
    getProject({ name: "missing" });`,
    /NOT_FOUND.*"missing"/,
  ],
  "the read of a snapshot whose output it returns": [
    'return { domain: new projectService.ProjectSnapshot("missing", { name: "missing" }).domain };',
    /NOT_FOUND.*"missing"/,
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
    `getProjectOutput({ name: later(() => "missing", 1_000) }).apply(() => new Made("made"));
    throw new Error("The program throws");`,
    /The program throws/,
  ],
  "reads with two copies of the package fail, one after the other": [
    `getProject({ name: "missing" }).then(() => new Made("made"));
    loadOtherCopy().getProjectOutput({ name: later(() => "missing-late", 1_500) }).apply(() => new Made("other"));`,
    /NOT_FOUND.*"missing"/,
  ],
};

const madeBy = (project: Project) => project.namesOf("test:Made");

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

  /** Makes a stack with the resources of a program, which runs inline or from the command line. */
  async function makeStack(name: string, program: string, isInline = true): Promise<Project> {
    const project = await engine.stack(name, isInline ? "" : declarations + program);
    if (isInline) assert.ok(!(await runInHost(project, program)).failed);
    else await project.up();
    assert.notDeepEqual(await madeBy(project), []);
    return project;
  }

  /** Runs a program that must keep the resources of its stack, and succeeds or fails with the error. */
  async function assertKeeps(
    project: Project,
    program: string,
    error?: RegExp,
    operation?: InlineOperation,
  ): Promise<void> {
    const before = await madeBy(project);
    const { failed, printed, leftListeners } = await runInHost(project, program, operation);
    assert.deepEqual(await madeBy(project), before, printed);
    assert.equal(failed, error !== undefined, printed);
    assert.doesNotMatch(printed, /to (create|delete)/, "a preview finds all resources");
    if (error !== undefined) assert.match(printed, error);
    assert.equal(leftListeners, 0, "Pulumi does not hide errors of the host later");
  }

  describe("and runs inline, one after another in one process", () => {
    const program = making("made", readings["getProject"] ?? "");
    let project: Project;
    before(async () => {
      startHost();
      engine.sandbox = await engine.startSandbox();
      project = await makeStack("inline-host", program);
    });
    beforeEach(() => project.configure(engine.sandbox));
    after(assertHostClosesQuietly);

    for (const [name, reading] of Object.entries(readings)) {
      it(`keeps the resources of ${name} when the service denies access`, async () => {
        engine.sandbox.failNext({ status: 403, times: Infinity });
        await assertKeeps(project, making("made", reading), /ProjectServiceError \[FORBIDDEN\]/);
      });
    }

    for (const [name, [failing, error]] of Object.entries(failingPrograms)) {
      it(`keeps the resources if this fails: ${name}`, () => assertKeeps(project, failing, error));
    }

    // The host itself must print nothing and live on, which `assertHostClosesQuietly` shows.
    for (const [name, [failing, error]] of Object.entries(lateFailures)) {
      it(`keeps the resources and the host if ${name}`, async () => {
        const { failed, printed } = await runInHost(project, failing);
        assert.ok(failed);
        assert.match(printed, error);
        await sleep(2_000); // until the late reads would have ended
        await assertKeeps(project, program);
      });
    }

    it("keeps what it made from the outputs of a stack", async () => {
      await runInHost(project, `${program} return pipelineOutputs(getProject(shop));`);
      await assertKeeps(
        project,
        `const own = new pulumi.StackReference("organization/inline-host/test");
        projectService.readPipelineOutputs(own).project.apply(() => new Made("made"));`,
      );
    });
  });

  describe("and uses everything", () => {
    let reading: Project;
    let recording: Project;
    let fromCommandLine: Project;
    before(async () => {
      startHost();
      engine.sandbox = await engine.startSandbox();
      [reading, recording, fromCommandLine] = await Promise.all([
        makeStack("everything", everything),
        makeStack("snapshots", snapshots),
        makeStack("command-line", everything + snapshots, false),
      ]);
    });
    after(assertHostClosesQuietly);

    it("keeps the resources of each program if one of two in a process fails", async () => {
      const slow = await engine.startSandbox();
      slow.latencyMs = 200;
      await reading.configure(slow);
      engine.sandbox.failNext({ status: 403, times: Infinity });
      await recording.configure(engine.sandbox);
      const before = await Promise.all([recording, reading].map(madeBy));
      // Pulumi reports an error that nobody awaits to every program that runs in the process, so both can fail.
      const [{ failed }] = await Promise.all([
        runInHost(recording, snapshots),
        runInHost(reading, everything),
      ]);
      assert.ok(failed);
      assert.deepEqual(await Promise.all([recording, reading].map(madeBy)), before);
    });

    it("keeps all resources in preview and up, in a new process, when the service is slow by 2 s", async () => {
      await assertHostClosesQuietly();
      startHost();
      engine.sandbox.latencyMs = 2_000;
      for (const project of [reading, recording]) await project.configure(engine.sandbox);
      for (const operation of ["preview", "up"] as const) {
        await Promise.all([
          assertKeeps(reading, everything, undefined, operation),
          assertKeeps(recording, snapshots, undefined, operation),
        ]);
      }
    });

    // A preview ends like an update.
    it("keeps all resources when the service is silent, also from the command line", async () => {
      engine.sandbox.latencyMs = 60_000;
      for (const project of [reading, recording, fromCommandLine]) {
        await project.configure(engine.sandbox, { timeoutSeconds: "1" });
      }
      const error = /ProjectServiceError \[TIMEOUT\]/;
      const before = await madeBy(fromCommandLine);
      await Promise.all([
        assertKeeps(reading, everything, error),
        assertKeeps(recording, snapshots, error),
        fromCommandLine.failUp().then((printed) => assert.match(printed, error)),
      ]);
      assert.deepEqual(await madeBy(fromCommandLine), before);
    });
  });
});
