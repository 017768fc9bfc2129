import assert from "node:assert/strict";
import { readFile, rename, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { type Sandbox, sampleProjects, startSandbox } from "../../sandbox/index.js";
import { credentialsIn, LeakSearch } from "../support/secrets.js";
import { type Project, repository, useWorkbench, type Workbench } from "./workbench.js";

const imports = `import * as pulumi from "@pulumi/pulumi";
import * as projectService from "pulumi-project-service";
const { ProjectSnapshot } = projectService;
`;
const shopProgram = `${imports}
const shop = new ProjectSnapshot("shop", { name: "shop" });
export const webroot = shop.environments[0].webroot;
export const password = shop.credentials.databases["live"]?.[0].password;
`;
const readerPassword = "c4nary-p4ssword-of-the-reader";

interface Resource {
  type: string;
  urn: string;
  external?: boolean;
  outputs: { credentials?: object };
}

/** Whether the state holds credentials as Pulumi keeps secrets. */
function isEncrypted({ credentials }: Resource["outputs"]): boolean {
  return credentials !== undefined && "ciphertext" in credentials;
}

describe("a ProjectSnapshot on the real engine", () => {
  let workbench: Workbench;
  let sandbox: Sandbox;
  let second: Sandbox | undefined;
  let project: Project;
  before(async function () {
    workbench = await useWorkbench(this);
  });
  beforeEach(async () => {
    sandbox = await startSandbox({ password: readerPassword });
    secrets.clear();
  });
  afterEach(async () => {
    await sandbox?.close();
    await second?.close();
    second = undefined;
  });

  async function start(name: string, program: string): Promise<void> {
    project = await workbench.project(name, { program });
    await project.configure(sandbox);
  }

  /** All that has been secret in this test: what is rotated or restarted stays in it. */
  const secrets = new Set<string>();
  function noteSecrets(): void {
    for (const service of [sandbox, second]) {
      if (service === undefined) continue;
      for (const secret of [
        service.connection.password,
        ...service.issuedTokens,
        ...credentialsIn(service.projects),
      ]) {
        secrets.add(secret);
      }
    }
  }

  /** Runs the CLI, and searches what it printed and what it left in the state for secrets. */
  async function pulumi(...args: string[]): Promise<{ code: number; printed: string }> {
    const { code, stdout, stderr } = await project.cli(...args);
    noteSecrets();
    const search = new LeakSearch([...secrets]);
    search.text(`pulumi ${args.join(" ")}`, stdout + stderr);
    search.text("the state", (await project.cli("stack", "export")).stdout);
    return { code, printed: stdout + stderr };
  }

  async function succeed(...args: string[]): Promise<string> {
    const { code, printed } = await pulumi(...args);
    assert.equal(code, 0, printed);
    return printed;
  }

  async function fail(...args: string[]): Promise<string> {
    const { code, printed } = await pulumi(...args);
    assert.notEqual(code, 0, printed);
    return printed;
  }

  const up = () => succeed("up", "--yes", "--skip-preview");
  const refresh = () => succeed("refresh", "--yes", "--skip-preview");
  const expectNoChanges = ["preview", "--expect-no-changes", "--diff"];

  async function snapshots(): Promise<Resource[]> {
    const { stdout } = await project.cli("stack", "export");
    const { deployment } = JSON.parse(stdout) as { deployment: { resources?: Resource[] } };
    return (deployment.resources ?? []).filter(({ type }) => type.endsWith(":ProjectSnapshot"));
  }

  async function output(name: string): Promise<unknown> {
    const { stdout } = await project.cli("stack", "output", "--json", "--show-secrets");
    return (JSON.parse(stdout) as Record<string, unknown>)[name];
  }

  const environment = (id: string) =>
    sandbox.projects.find(({ _id }) => _id === id)!.projectEnvironments[0]!;

  it("shows what has changed in the service with old and new value, until an up has recorded it", async () => {
    await start("snapshot-drift", shopProgram);
    await up();
    await succeed(...expectNoChanges);

    environment("p-1").projectEnvironmentCode.webroot = "/var/www/shop/live/current/pub";
    const printed = await fail(...expectNoChanges);
    assert.match(
      printed,
      /~ environments: \[\n.*~ \[0\]: \{\n.*~ webroot: "\/var\/www\/shop\/live\/current\/public" => "\/var\/www\/shop\/live\/current\/pub"\n/,
    );
    assert.match(printed, /~ 1 to update\n +1 unchanged/);
    await up();
    await succeed(...expectNoChanges);
  });

  it("shows drift with --refresh=false where the project refreshes first", async () => {
    await start("snapshot-refreshing", shopProgram);
    await up();
    const file = join(project.directory, "Pulumi.yaml");
    await writeFile(file, `${await readFile(file, "utf8")}options:\n  refresh: always\n`);
    environment("p-1").projectEnvironmentCode.webroot = "/srv/shop";
    assert.match(await fail(...expectNoChanges, "--refresh=false"), /webroot: .* => "\/srv\/shop"/);
  });

  it("shows a rotated password as [secret] => [secret]", async () => {
    await start("snapshot-rotation", shopProgram);
    await up();
    const [database] = environment("p-1").projectEnvironmentDatabases.databases;
    database!.password = "r0tated-p4ssword-of-the-shop";
    assert.match(await fail(...expectNoChanges), /~ credentials: \[secret\] => \[secret\]\n/);
    await up();
    await succeed(...expectNoChanges);
    assert.equal(await output("password"), "r0tated-p4ssword-of-the-shop");
    const { stdout } = await project.cli("stack", "output", "--json");
    const masked = { password: "[secret]", webroot: "/var/www/shop/live/current/public" };
    assert.deepEqual(JSON.parse(stdout), masked);
  });

  it("is recorded by a refresh without the program, with the secret kept one", async () => {
    await start("snapshot-refreshed", shopProgram);
    await up();
    const live = environment("p-1");
    live.projectEnvironmentCode.webroot = "/srv/shop";
    live.projectEnvironmentDatabases.databases[0]!.password = "r0tated-p4ssword-of-the-shop";
    const program = join(project.directory, "index.ts");
    await writeFile(program, "this is no program");
    await refresh();
    await writeFile(program, shopProgram);
    // The outputs of the stack are the program's: an update brings them up to date.
    assert.match(await succeed(...expectNoChanges), /2 unchanged/);
    await up();
    assert.equal(await output("webroot"), "/srv/shop");
    assert.equal(await output("password"), "r0tated-p4ssword-of-the-shop");
  });

  it("stays in the state while the service cannot be read, and is deleted when it is gone", async () => {
    await start("snapshot-gone", shopProgram);
    await up();
    const before = await snapshots();
    const { port } = new URL(sandbox.connection.baseUrl);
    await sandbox.close();
    // A port that nobody holds could become the engine's own.
    const hangingUp = createServer((socket) => socket.destroy()).listen(Number(port), "127.0.0.1");
    assert.match(
      await fail("refresh", "--yes"),
      /error: Preview failed: .* failed: no answer from 127\.0\.0\.1:\d+ \(ECONNRESET\)/,
    );
    assert.deepEqual(await snapshots(), before);
    await new Promise((resolve) => hangingUp.close(resolve));

    sandbox = await startSandbox({ port: Number(port), password: readerPassword });
    sandbox.projects = sandbox.projects.slice(1);
    assert.match(await refresh(), /- +pulumi-nodejs:\S+:ProjectSnapshot shop deleted/);
    assert.deepEqual(await snapshots(), []);
  });

  it("has no drift when the reader's password has changed, and refreshes with it after an up", async () => {
    await start("snapshot-reader", shopProgram);
    await up();
    const { port } = new URL(sandbox.connection.baseUrl);
    await sandbox.close();
    sandbox = await startSandbox({
      port: Number(port),
      password: "an0ther-p4ssword-of-the-reader",
    });
    await project.configure(sandbox);
    assert.match(
      await fail("refresh", "--yes"),
      /the user or the password was rejected.* run pulumi up --refresh=false, or pulumi refresh --run-program/,
    );
    await succeed(...expectNoChanges);
    await succeed("refresh", "--yes", "--run-program");
    await up();
    await refresh();
  });

  it("is recorded and refreshed with settings of the environment alone", async () => {
    project = await workbench.project("snapshot-environment", { program: shopProgram });
    Object.assign(process.env, sandbox.environment);
    try {
      await up();
      environment("p-1").projectEnvironmentCode.webroot = "/srv/shop";
      assert.match(await refresh(), /~ 1 updated/);
      await succeed(...expectNoChanges);
      const signIns = sandbox.counters.passwordGrants;
      delete process.env["PROJECT_SERVICE_PASSWORD"];
      assert.match(await fail("refresh", "--yes"), /PROJECT_SERVICE_PASSWORD/);
      assert.equal(sandbox.counters.passwordGrants, signIns);
    } finally {
      for (const name of Object.keys(sandbox.environment)) delete process.env[name];
    }
  });

  it("is read by get, as an external resource of which no drift is shown", async () => {
    await start(
      "snapshot-got",
      `${imports}
const shop = ProjectSnapshot.get("shop", "p-1");
export const webroot = shop.environments[0].webroot;
export const password = shop.credentials.databases["live"]?.[0].password;
export const plain = ProjectSnapshot.get("blog", "p-2", { includeCredentials: false }).credentials;
`,
    );
    await up();
    const live = environment("p-1");
    assert.equal(await output("webroot"), live.projectEnvironmentCode.webroot);
    const [database] = live.projectEnvironmentDatabases.databases;
    assert.equal(await output("password"), database?.password);
    assert.equal(await output("plain"), undefined);
    for (const { urn, external, outputs } of await snapshots()) {
      assert.equal(external, true);
      assert.equal(isEncrypted(outputs), urn.endsWith("::shop"), urn);
    }
    live.projectEnvironmentCode.webroot = "/srv/shop";
    assert.match(await succeed("preview"), /webroot *: .* => "\/srv\/shop"/);
    sandbox.projects = sandbox.projects.slice(1);
    assert.match(
      await fail("preview"),
      /error: Preview failed: Reading project p-1 failed: .* 404/,
    );
  });

  it("takes Pulumi's options, and reads several services", async () => {
    second = await startSandbox({ password: readerPassword });
    second.projects[0]!.domain = "second.example.com";
    const program = (name: string, more: string) => `${imports}
class Later extends pulumi.dynamic.Resource {
  declare readonly project: pulumi.Output<string>;
  constructor(name: string) {
    super({ create: async () => ({ id: name, outs: { project: "p-6" } }) }, name, { project: undefined });
  }
}
const later = new Later("later");
new ProjectSnapshot("${name}", { projectId: "p-1" }, { aliases: [{ name: "old" }] });
new ProjectSnapshot("ignoring", { projectId: "p-2" }, { ignoreChanges: ["environments"] });
new ProjectSnapshot("plain", { projectId: "p-3", includeCredentials: false }, { dependsOn: later });
new ProjectSnapshot("depending", { projectId: later.project });
export const domain = new ProjectSnapshot("second", { projectId: "p-1", connection: "second" }).domain;
${more}`;
    await start(
      "snapshot-options",
      program(
        "old",
        `new ProjectSnapshot("protected", { projectId: "p-4" }, { protect: true });
new ProjectSnapshot("retained", { projectId: "p-5" }, { retainOnDelete: true });`,
      ),
    );
    for (const [key, value] of Object.entries(second.connection)) {
      await project.stack.setConfig(`second:${key}`, { value, secret: key === "password" });
    }
    assert.match(await succeed("preview"), /\+ 9 to create/);
    assert.equal(sandbox.counters.projectReads, 4, "what waits for another resource is not read");
    await up();
    assert.equal(await output("domain"), "second.example.com");

    const waiting = `new ProjectSnapshot("protected", { projectId: "p-4" }, { protect: true, dependsOn: new Later("another") });`;
    await writeFile(join(project.directory, "index.ts"), program("old", waiting));
    assert.match(await succeed("preview"), /ProjectSnapshot protected +update/);

    environment("p-2").projectEnvironmentCode.webroot = "/ignored";
    await writeFile(join(project.directory, "index.ts"), program("new", ""));
    const reads = sandbox.counters.projectReads;
    assert.match(
      await fail("up", "--yes", "--skip-preview"),
      /ProjectSnapshot::protected" cannot be deleted/,
    );
    await succeed("state", "unprotect", "--all", "--yes");
    assert.match(await up(), /- 1 deleted\n +7 unchanged/);
    await refresh();
    assert.equal(sandbox.counters.projectReads, reads + 12);
    await sandbox.close();
    await second.close();
    await succeed("destroy", "--yes");
  });

  it("is refused where it cannot be refreshed, and has nothing to import", async () => {
    await start(
      "snapshot-refused",
      `${imports}
for (const make of [
  () => new ProjectSnapshot("a", { projectId: "p-1", connection: { realm: "x" } as unknown as string }),
  () => new ProjectSnapshot("b", { projectId: "p-1" }, { import: "p-1" }),
  () => new ProjectSnapshot("c", {} as { projectId: string }),
]) {
  try {
    make();
  } catch (error) {
    console.log((error as Error).message);
  }
}
`,
    );
    const printed = await succeed("preview");
    assert.match(printed, /takes a config namespace as connection, not settings/);
    assert.match(printed, /has nothing to import: without the option import/);
    assert.match(printed, /ProjectSnapshot needs exactly one of projectId and name/);

    await writeFile(
      join(project.directory, "index.ts"),
      `${imports}
const missing = pulumi.output(undefined) as unknown as pulumi.Output<string>;
new ProjectSnapshot("d", { projectId: missing });
`,
    );
    const late = await fail("preview");
    assert.match(late, /: ProjectSnapshot needs exactly one of projectId and name\.\n/);
  });

  it("works on a state that version 0.1.0 wrote, of which it changes the provider's text once", async () => {
    await start("stored", shopProgram);
    const file = join(repository, "test/engine/states/projectSnapshot-0.1.0.json");
    const stored = (await readFile(file, "utf8")).replaceAll(
      "http://127.0.0.1:12345",
      sandbox.connection.baseUrl,
    );
    await writeFile(join(project.directory, "state.json"), stored);
    await succeed("stack", "import", "--file", "state.json");
    environment("p-1").projectEnvironmentCode.webroot = "/srv/shop";
    assert.match(await succeed("refresh", "--yes", "--diff"), /"\/srv\/shop"/);
    const printed = await fail(...expectNoChanges);
    assert.match(printed, /~ 1 to update\n +1 unchanged/);
    assert.match(printed, /\[urn=.*::shop\]\n +~ __provider: .*\n +--outputs/);
    await up();
    await succeed(...expectNoChanges);
    await succeed("destroy", "--yes");
  });

  it("knows in a preview that the service leaves a field out", async () => {
    for (const name of ["shop", "blog"]) {
      Object.assign(
        sandbox.projects.find((each) => each.name === name)!,
        {
          codeRepository: null,
          domain: undefined,
        },
      );
    }
    await start(
      "snapshot-missing",
      `${imports}
const shop = new ProjectSnapshot("shop", { name: "shop", includeCredentials: false });
const blog = ProjectSnapshot.get("blog", "p-2", { includeCredentials: false });
for (const [name, project] of Object.entries({ shop, blog })) {
  new pulumi.Stash(name, {
    input: {
      repository: project.codeRepository.apply((repository) => String(repository)),
      domain: project.domain.apply((domain) => String(domain)),
      credentials: project.credentials.apply((credentials) => String(credentials)),
      webroot: project.environments[0].webroot,
    },
  });
}
`,
    );
    const planned = await succeed("preview", "--diff");
    assert.match(planned, /domain *: "undefined"/);
    assert.doesNotMatch(planned, /\[unknown\]|output</);
    await up();
    assert.doesNotMatch(await succeed(...expectNoChanges), /\[unknown\]/);
    await refresh();
    await succeed(...expectNoChanges);
  });

  it("has no drift when a default is written out, or no more", async () => {
    const program = (more: string) => `${imports}
new ProjectSnapshot("shop", { name: "shop"${more} });
`;
    await start("snapshot-defaults", program(""));
    await up();
    const file = join(project.directory, "index.ts");
    await writeFile(file, program(', includeCredentials: true, connection: "project-service"'));
    await succeed(...expectNoChanges);
    await up();
    await refresh();
    await writeFile(file, program(""));
    await succeed(...expectNoChanges);
  });

  it("can be removed together with its package, and says what is missing in a refresh", async () => {
    await start("snapshot-removed", shopProgram);
    await up();
    await writeFile(join(project.directory, "index.ts"), "export const nothing = true;\n");
    const installed = join(workbench.directory, "node_modules/pulumi-project-service");
    await rename(installed, `${installed}-removed`);
    try {
      const message = /needs its package in the program's folder: npm install/g;
      const printed = await fail("refresh", "--yes", "--skip-preview");
      const [, diagnostics = ""] = printed.split("Diagnostics:");
      assert.equal(diagnostics.match(message)?.length, 1, printed);
      assert.match(await succeed("preview"), /- 1 to delete/);
      assert.match(await up(), /- 1 deleted/);
    } finally {
      await rename(`${installed}-removed`, installed);
    }
    assert.deepEqual(await snapshots(), []);
  });

  it("is one of 100 in a stack, read with one sign-in", async () => {
    const [sample] = sampleProjects();
    sandbox.projects = Array.from({ length: 100 }, (_, index) => ({
      ...structuredClone(sample!),
      _id: `p-${index + 1}`,
    }));
    await start(
      "snapshot-hundred",
      `${imports}
for (let n = 1; n <= 100; n++) new ProjectSnapshot(\`p-\${n}\`, { projectId: \`p-\${n}\` });
`,
    );
    await up();
    assert.equal(sandbox.counters.passwordGrants, 1);
    await succeed(...expectNoChanges);
    await refresh();
    assert.deepEqual([sandbox.counters.passwordGrants, sandbox.counters.projectReads], [3, 300]);
    const bytes = Buffer.byteLength(JSON.stringify(await snapshots()));
    console.log(`    ${Math.round(bytes / 100)} bytes per snapshot in the state`);
  });
});
