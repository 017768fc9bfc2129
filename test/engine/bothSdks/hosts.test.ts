import assert from "node:assert/strict";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { type Sandbox, startSandbox } from "../../support/testSandbox.js";
import * as projectService from "../../../sdk/index.js";
import { programImports, useEngine } from "../../support/engineTest.js";
import { closedPort } from "../../support/listen.js";
import { programsOf } from "../../support/everyFunction.js";
import { InlineHost, type InlineOperation } from "../../support/inlineHost.js";
import { repository } from "../../support/paths.js";
import type { Project } from "../../support/workbench.js";

interface Service {
  readonly change?: (sandbox: Sandbox) => unknown;
  /** The error of reads that fail. */
  readonly error?: RegExp;
  readonly settings?: Record<string, string>;
  /** Whether nothing listens at its address. */
  readonly isDead?: boolean;
}

const forbidding: Service = {
  change: (sandbox) => sandbox.failNext({ status: 403, times: Infinity }),
  error: /ProjectServiceError \[FORBIDDEN\]/,
};

const services: Record<string, Service> = {
  healthy: {},
  "slow by 200 ms": { change: (sandbox) => (sandbox.latencyMs = 200) },
  "slow by 2 s": { change: (sandbox) => (sandbox.latencyMs = 2_000) },
  forbidding,
  silent: {
    change: (sandbox) => (sandbox.latencyMs = 60_000),
    error: /ProjectServiceError \[TIMEOUT\]/,
    settings: { timeoutSeconds: "1" },
  },
  dead: { isDead: true, error: /ProjectServiceError \[UNREACHABLE\]/ },
};

interface Outcome {
  readonly failed: boolean;
  readonly printed: string;
}

const programs = programsOf(pulumi, projectService);

/** Returns the URNs in the state of a stack. */
async function resourcesOf(project: Project): Promise<string[]> {
  return (await project.resources()).map(({ urn }) => urn).sort();
}

/*
 * The programs wait for nothing. The engine deletes a resource that a program does not register, so no
 * read may be lost.
 */
describe("a program that does not wait for its reads", () => {
  const engine = useEngine({ sandboxFor: "test" });
  let host: InlineHost;

  const start = () => (host = new InlineHost(engine.workbench));
  const close = async () => {
    assert.equal(await host.close(), "", "the host prints nothing itself");
  };
  async function succeed(
    project: Project,
    program: string,
    operation?: InlineOperation,
  ): Promise<void> {
    const { failed, printed } = await host.run(project, program, operation);
    assert.ok(!failed, printed);
  }

  /** Makes a stack with the resources of an inline program. */
  async function makeStack(name: string, program: string): Promise<Project> {
    const project = await engine.workbench.project(name, { program: "" });
    const sandbox = await startSandbox();
    await project.configure(sandbox);
    await succeed(project, program);
    await sandbox.close();
    return project;
  }

  /** Runs a program inline. It must read or fail, and its resources must stay. */
  async function runInline(
    project: Project,
    program: string,
    operation: InlineOperation,
    error?: RegExp,
  ): Promise<void> {
    const before = await resourcesOf(project);
    const result = await host.run(project, program, operation);
    assert.deepEqual(await resourcesOf(project), before, result.printed);
    assertOutcome(result, error);
    assert.equal(result.leftListeners, 0, "Pulumi does not hide errors of the host later");
  }

  /** Like {@link runInline}, with the Pulumi CLI. */
  async function runFromCommandLine(
    project: Project,
    operation: "preview" | "up",
    error: RegExp | undefined,
  ): Promise<void> {
    const before = await resourcesOf(project);
    const options = operation === "up" ? ["--yes", "--skip-preview"] : [];
    const { code, stdout, stderr } = await project.cli(operation, ...options);
    assert.deepEqual(await resourcesOf(project), before, stdout + stderr);
    assertOutcome({ failed: code !== 0, printed: stdout + stderr }, error);
  }

  function assertOutcome({ failed, printed }: Outcome, error: RegExp | undefined): void {
    assert.equal(failed, error !== undefined, printed);
    assert.doesNotMatch(printed, /to (create|delete)/, "a preview finds all resources");
    if (error !== undefined) assert.match(printed, error);
  }

  /** Configures stacks for a service, and changes the service. */
  async function begin(
    { change, settings = { timeoutSeconds: "15" }, isDead = false }: Service,
    ...projects: Project[]
  ): Promise<void> {
    const address = isDead ? await closedPort() : engine.sandbox.connection.baseUrl;
    const changes = { ...settings, baseUrl: address, authUrl: address };
    for (const project of projects) await project.configure(engine.sandbox, changes);
    await change?.(engine.sandbox);
  }

  describe("and runs inline, one after another in one process", () => {
    let project: Project;
    before(async () => {
      start();
      project = await makeStack("inline-host", "getProject");
    });
    after(close);

    for (const program of Object.keys(programs.reading)) {
      it(`keeps the resources of ${program} when the service denies access`, async () => {
        await begin(forbidding, project);
        await runInline(project, program, "up", forbidding.error);
      });
    }

    // The host itself must print nothing and live on, which `close` shows.
    for (const [program, error] of [
      ["failedResource", /The resource fails/],
      ["throwBeforeRead", /The program throws/],
      ["twoCopies", /NOT_FOUND.*"missing"/],
    ] as const) {
      it(`keeps the resources and the host in ${program}`, async () => {
        await begin({}, project);
        const before = await resourcesOf(project);
        assertOutcome(await host.run(project, program), error);
        // Until the late reads would have ended.
        await new Promise((resolve) => setTimeout(resolve, 2_000));
        const { failed, printed, leftListeners } = await host.run(project, "getProject");
        assert.ok(!failed, printed);
        assert.equal(leftListeners, 0);
        assert.deepEqual(await resourcesOf(project), before);
      });
    }

    for (const program of Object.keys(programs.failing)) {
      it(`keeps the resources in ${program}`, async () => {
        await begin({}, project);
        await runInline(project, program, "up", /The callback fails|\[ARGUMENT_INVALID\]/);
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
      const project = await engine.workbench.project("inline-reader", { program: "" }, source);
      await host.run(project, "readPipelineOutputs");
      await runInline(project, "readPipelineOutputs", "up");
    });
  });

  describe("and uses everything", () => {
    let everything: Project;
    let snapshots: Project;
    let fromCommandLine: Project;

    before(async () => {
      start();
      [everything, snapshots] = await Promise.all([
        makeStack("everything", "everything"),
        makeStack("snapshots", "snapshots"),
      ]);
      fromCommandLine = await engine.workbench.project("commandLine", {
        program: `${programImports}
const { programsOf } = require(${JSON.stringify(join(repository, "dist/test/support/everyFunction.js"))});
const { everything, snapshots } = programsOf(pulumi, projectService);
everything();
snapshots();
`,
      });
      const sandbox = await startSandbox();
      await fromCommandLine.configure(sandbox);
      await fromCommandLine.succeed("up", "--yes", "--skip-preview");
      await sandbox.close();
    });

    it("keeps the resources of each program if one of several fails", async () => {
      const sandbox = await startSandbox();
      await begin(forbidding, snapshots);
      await everything.configure(sandbox);
      sandbox.latencyMs = 200;
      const [before, beforeInOther] = await Promise.all([snapshots, everything].map(resourcesOf));
      // Pulumi reports an error that nobody awaits to every program that runs in the process, so both can fail.
      const [{ failed }] = await Promise.all([
        host.run(snapshots, "snapshots"),
        host.run(everything, "everything"),
      ]);
      assert.ok(failed);
      assert.deepEqual(await resourcesOf(snapshots), before);
      assert.deepEqual(await resourcesOf(everything), beforeInOther);
      await sandbox.close();
    });

    for (const [name, service] of Object.entries(services)) {
      describe(`in a new process, when the service is ${name}`, () => {
        before(async () => {
          await close();
          start();
        });
        for (const operation of ["preview", "up"] as const) {
          it(`keeps all resources in ${operation}`, async () => {
            await begin(service, everything, snapshots, fromCommandLine);
            await Promise.all([
              runInline(everything, "everything", operation, service.error),
              runInline(snapshots, "snapshots", operation, service.error),
              runFromCommandLine(fromCommandLine, operation, service.error),
            ]);
          });
        }
      });
    }

    it("keeps the resources in a refresh", async () => {
      await begin({ settings: { timeoutSeconds: "1" } }, snapshots);
      await runInline(snapshots, "snapshots", "up");
      engine.sandbox.latencyMs = 200;
      await runInline(snapshots, "snapshots", "refresh");
      engine.sandbox.latencyMs = 60_000;
      await runInline(snapshots, "snapshots", "refresh", /TIMEOUT/);
      engine.sandbox.latencyMs = 0;
      await forbidding.change?.(engine.sandbox);
      await runInline(snapshots, "snapshots", "refresh", /FORBIDDEN/);
      await engine.sandbox.close();
      await runInline(snapshots, "snapshots", "refresh", /UNREACHABLE/);
    });

    after("destroys the stacks, for which it needs no service", async () => {
      for (const project of [everything, snapshots]) {
        await succeed(project, "nothing", "destroy");
        assert.deepEqual(await resourcesOf(project), []);
      }
      await close();
    });
  });
});
