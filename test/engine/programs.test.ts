import assert from "node:assert/strict";
import { LocalWorkspace } from "@pulumi/pulumi/automation/index.js";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { type Sandbox, startSandbox } from "../../sandbox/index.js";
import * as projectService from "../../sdk/index.js";
import { wireProject } from "../support/project.js";
import { sendJson, startScriptedServer } from "../support/scriptedServer.js";
import { assertHoldsNone, credentialsIn, withoutPulumisOwn } from "../support/secrets.js";
import { backendIn, type Project, useWorkbench, type Workbench } from "./workbench.js";

const imports = `import * as pulumi from "@pulumi/pulumi";
import * as projectService from "pulumi-project-service";
`;

describe("programs on the real engine", () => {
  let workbench: Workbench;
  let sandbox: Sandbox;
  before(async function () {
    workbench = await useWorkbench(this);
  });
  beforeEach(async () => {
    sandbox = await startSandbox();
  });
  afterEach(() => sandbox?.close());

  const secretsInUse = () => [sandbox.connection.password, ...credentialsIn(sandbox.projects)];

  async function failedUp(project: Project): Promise<string> {
    const { code, stdout, stderr } = await project.cli("up", "--yes", "--skip-preview");
    assert.notEqual(code, 0);
    // What comes before is the progress, in which each line is shown a first time.
    const [, diagnostics] = (stdout + stderr).split("Diagnostics:");
    assert.ok(diagnostics, stdout + stderr);
    return diagnostics;
  }

  /** A message as a user reads it: once, and nothing of Node around it. */
  function assertReadable(printed: string, message: RegExp): void {
    assert.match(printed, message);
    assert.doesNotMatch(printed, /^\s+at .+:\d+:\d+\)?$/m, "no stack trace");
    assert.doesNotMatch(printed, /unhandled|Warning:|DeprecationWarning|node:internal/i);
  }

  it("keep credentials secret in another resource, and the debug log free of them", async () => {
    const project = await workbench.project("feeding", {
      program: `${imports}
const live = projectService.getEnvironmentOutput({ name: "shop", environmentId: "live" });
const [database] = [live.databases[0]];
const connectionString = pulumi.interpolate\`mysql://\${database.username}:\${database.password}@db/\${database.name}\`;
const stash = new pulumi.Stash("app", { input: { connectionString, webroot: live.webroot } });
export const stashed = stash.output;
export const p = projectService.getProjectOutput({ projectId: "p-1" });
`,
    });
    await project.configure(sandbox);
    const { stdout, stderr } = await project.stack.up({
      ...project.listen,
      debug: true,
      logToStdErr: true,
      logVerbosity: 9,
    });
    const [database] =
      sandbox.projects[0]?.projectEnvironments[0]?.projectEnvironmentDatabases.databases ?? [];
    const { stashed, p } = JSON.parse(
      (await project.cli("stack", "output", "--json", "--show-secrets")).stdout,
    ) as { stashed: { connectionString: string }; p: { codeRepository: object } };
    assert.equal(
      stashed.connectionString,
      `mysql://${database?.username}:${database?.password}@db/shop_live`,
    );
    assert.ok("importRepository" in p.codeRepository);
    const masked = JSON.parse((await project.cli("stack", "output", "--json")).stdout) as {
      stashed: unknown;
      p: { codeRepository: { importRepository: unknown; gitHost: string } };
    };
    assert.equal(masked.stashed, "[secret]", "Pulumi makes a property that holds a secret secret");
    assert.equal(masked.p.codeRepository.importRepository, "[secret]");
    assert.equal(masked.p.codeRepository.gitHost, "git.example.com");

    const secrets = secretsInUse();
    const { stdout: state } = await project.cli("stack", "export");
    assert.match(state, /"webroot": "\/var\/www\/shop\/live/, "facts beside it stay in clear");
    assertHoldsNone("the exported state", state, secrets);
    assertHoldsNone("the debug log", withoutPulumisOwn(stdout + stderr), secrets);
  });

  it("name all missing settings in one message, without a stack trace", async () => {
    const project = await workbench.project("unconfigured", {
      program: `${imports}
export const webroot = projectService.getProjectOutput({ name: "shop" }).environments[0].webroot;
export const count = projectService.getProjectsOutput().projects.length;
`,
    });
    const { baseUrl: _, password: __, ...rest } = sandbox.connection;
    for (const [key, value] of Object.entries(rest)) {
      await project.stack.setConfig(`project-service:${key}`, { value });
    }
    const printed = await failedUp(project);
    assertReadable(printed, /pulumi config set project-service:baseUrl <value>/);
    assert.match(printed, /pulumi config set --secret project-service:password <value>/);
    assert.equal(printed.match(/are not complete/g)?.length, 1, printed);
    assert.doesNotMatch(printed, /authUrl is missing/);
  });

  it("fail a wrong password with one login and one message", async () => {
    const project = await workbench.project("rejected", {
      program: `${imports}
export const projects = projectService.getProjectsOutput().projects;
export const shop = projectService.getProjectOutput({ name: "shop" });
export const blog = projectService.getProjectOutput({ name: "blog" });
`,
    });
    await project.configure(sandbox, { password: "wr0ng-p4ssword" });
    const printed = await failedUp(project);
    assertReadable(printed, /Check username and password/);
    assert.equal(printed.match(/Check username and password/g)?.length, 1, printed);
    assert.equal(sandbox.counters.passwordGrants, 1);
    assertHoldsNone("what was printed", printed, ["wr0ng-p4ssword", ...secretsInUse()]);
  });

  it("work with a password in plain config, and say once how to encrypt it", async () => {
    const project = await workbench.project("plain", {
      program: `${imports}
export const shop = projectService.getProjectOutput({ name: "shop" }).name;
export const blog = projectService.getProjectOutput({ name: "blog" }).name;
`,
    });
    await project.configure(sandbox);
    const { value } = await project.stack.getConfig("project-service:password");
    await project.stack.setConfig("project-service:password", { value, secret: false });
    const { stdout } = await project.stack.preview();
    const warnings = stdout
      .split("Diagnostics:")[1]
      ?.match(/pulumi config set --secret project-service:password/g);
    assert.equal(warnings?.length, 1, stdout);
  });

  it("say in the status line what they wait for, when it is long", async () => {
    const server = await startScriptedServer();
    let turnedAway = false;
    server.answer = (request, response) => {
      if (request.url?.startsWith("/auth/")) return sendJson(response, 200, { access_token: "t" });
      if (turnedAway) return sendJson(response, 200, wireProject());
      turnedAway = true;
      response.setHeader("retry-after", "3");
      sendJson(response, 429, {});
    };
    const project = await workbench.project("waiting", {
      program: `${imports}
export const name = projectService.getProjectOutput({ projectId: "p-1" }).name;
`,
    });
    await project.configure(sandbox, { baseUrl: server.url, authUrl: server.url });
    await project.stack.preview(project.listen);
    const events = project
      .heard()
      .split("\n")
      .filter((line) => line.startsWith("{") && line.includes("Trying again in 3 s"));
    assert.match(events[0] ?? "", /Reading project p-1 failed: the service answered 429/);
    assert.match(events[0] ?? "", /"ephemeral":true/);
  });

  it("say in the status line how far they are, when it takes long, and not in CI", async () => {
    sandbox.latencyMs = 250;
    const project = await workbench.project("progressing", {
      program: `${imports}
export const count = projectService.getProjectsOutput({ details: true }).projects.length;
`,
    });
    await project.configure(sandbox, { maxConcurrency: "1" });
    const { workspace } = project.stack;
    const linesIn = async (env: Record<string, string>) => {
      workspace.envVars = { ...workspace.envVars, ...env };
      const before = project.heard().length;
      const { stdout } = await project.stack.preview(project.listen);
      assert.match(stdout, /count *: 12/);
      const events = project.heard().slice(before).split("\n");
      return {
        // Without a terminal Pulumi prints them like others. Of events the last ones may get lost.
        printed: stdout.match(/Reading projects: .*/g) ?? [],
        events: events.filter(
          (line) => line.startsWith("{") && line.includes("Reading projects: "),
        ),
      };
    };
    const { printed, events } = await linesIn({ CI: "false" });
    assert.ok(printed.length >= 2, printed.join("\n"));
    assert.match(printed.at(-1) ?? "", /Reading projects: 12 of 12/);
    assert.ok(events.length > 0);
    for (const event of events) assert.match(event, /"ephemeral":true/);
    assert.deepEqual(await linesIn({ CI: "true" }), { printed: [], events: [] });
  });

  it("wait for what they depend on: unknown in a preview, without a request, and read in an up", async () => {
    const project = await workbench.project("depending", {
      program: `${imports}
class Later extends pulumi.dynamic.Resource {
  declare readonly project: pulumi.Output<string>;
  constructor(name: string) {
    super({ create: async () => ({ id: name, outs: { project: "shop" } }) }, name, { project: undefined });
  }
}
const later = new Later("later");
const waiting = projectService.getProjectOutput({ name: "shop" }, { dependsOn: later });
const argument = projectService.getProjectOutput({ name: later.project });
export const domains = [waiting.domain, argument.domain];
`,
    });
    await project.configure(sandbox);
    await project.stack.preview();
    assert.equal(sandbox.counters.passwordGrants, 0);
    const { outputs } = await project.stack.up();
    assert.deepEqual(outputs["domains"]?.value, ["shop.example.com", "shop.example.com"]);
  });

  it("refuse what is wrong in values that come later, with no warning of Node beside it", async () => {
    for (const [name, call, says] of [
      [
        "component",
        `projectService.getProjectOutput({ name: "shop" }, { dependsOn: pulumi.output(new Component()) as any })`,
        /dependsOn takes custom resources\. Of a component/,
      ],
      [
        "setting",
        `projectService.getProjectOutput({ name: "shop" }, { connection: { timeoutSeconds: pulumi.output(-1) } })`,
        /connection\.timeoutSeconds must be a number/,
      ],
      [
        "argument",
        `projectService.getProjectOutput({ name: pulumi.output("") })`,
        /getProjectOutput needs a string that is not empty as name/,
      ],
    ] as const) {
      const project = await workbench.project(`late-${name}`, {
        program: `${imports}
class Component extends pulumi.ComponentResource {
  constructor() {
    super("test:index:Component", "component");
  }
}
export const domain = ${call}.domain;
`,
      });
      await project.configure(sandbox);
      const { code, stdout, stderr } = await project.cli("preview");
      assert.notEqual(code, 0);
      assert.match(stdout, says);
      assert.doesNotMatch(stdout + stderr, /Warning/);
    }
  });

  it("read several services, by namespace and by settings object, without sharing anything", async () => {
    const second = await startSandbox({ realm: "second", username: "other" });
    second.projects = second.projects.slice(0, 2);
    const project = await workbench.project("several", {
      program: `${imports}
const config = new pulumi.Config("second");
const byNamespace = projectService.getProjectsOutput({}, { connection: "second" });
const byObject = projectService.getProjectOutput({ name: "shop" }, { connection: {
  baseUrl: config.require("baseUrl"), authUrl: config.require("authUrl"), realm: "second",
  username: "other", password: config.requireSecret("password"),
} });
export const counts = [projectService.getProjectsOutput().projects.length, byNamespace.projects.length];
export const name = byObject.name;
`,
    });
    await project.configure(sandbox);
    for (const [key, value] of Object.entries(second.connection)) {
      await project.stack.setConfig(`second:${key}`, { value, secret: key === "password" });
    }
    const { outputs } = await project.stack.up();
    assert.deepEqual(outputs["counts"]?.value, [12, 2]);
    assert.deepEqual(outputs["name"], { value: "shop", secret: false });
    assert.equal(sandbox.counters.rejectedGrants + second.counters.rejectedGrants, 0);
    await second.close();
  });

  it("run inline, twice in one process, each with its own settings", async () => {
    const second = await startSandbox({ username: "second" });
    const directory = join(workbench.directory, "inline");
    await mkdir(directory);
    const envVars = await backendIn(directory);
    const results = [];
    for (const [stackName, service] of [
      ["one", sandbox],
      ["two", second],
    ] as const) {
      (service.projects[0] as { domain: string }).domain = `${stackName}.example.com`;
      const stack = await LocalWorkspace.createStack(
        {
          stackName,
          projectName: "inline",
          program: () => {
            const shop = projectService.getProjectOutput({ name: "shop" });
            return Promise.resolve({
              domain: shop.domain,
              password: pulumi.output(shop.environments[0]?.databases[0]?.password),
            });
          },
        },
        { pulumiCommand: workbench.pulumi, envVars },
      );
      for (const [key, value] of Object.entries(service.connection)) {
        await stack.setConfig(`project-service:${key}`, { value, secret: key === "password" });
      }
      const { outputs } = await stack.up();
      results.push([outputs["domain"]?.value, outputs["password"]?.secret]);
    }
    assert.deepEqual(results, [
      ["one.example.com", true],
      ["two.example.com", true],
    ]);
    assert.deepEqual([sandbox.counters.passwordGrants, second.counters.passwordGrants], [1, 1]);
    await second.close();
  });
});
