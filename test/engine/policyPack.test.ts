import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { houseRules } from "../../audit/policies.js";
import { useEngine } from "../support/engineTest.js";
import { assertHoldsNone } from "../support/leakSearch.js";
import type { Project } from "../support/workbench.js";
import { repository } from "../support/paths.js";

const program = `
import * as projectService from "pulumi-project-service";
new projectService.ProjectSnapshot("violating", { projectId: "p-1", includeCredentials: true });
`;
const cleanProgram = `
import * as projectService from "pulumi-project-service";
new projectService.ProjectSnapshot("clean", { projectId: "p-7" });
new projectService.ProjectsSnapshot("fleet", { filters: [{ key: "name", values: ["docs"] }] });
`;

const fleetProgram = `
import * as projectService from "pulumi-project-service";
new projectService.ProjectsSnapshot("fleet", { onInaccessible: "skip", includeCredentials: true });
`;

const spyPack = `
import { PolicyPack } from "@pulumi/policy";
import { auditedProjects, defineRule, violated } from "pulumi-project-service/policies";

const rule = defineRule({
  name: "spy",
  description: "Says what it receives.",
  reason: "A test.",
  remedy: "None.",
  checkProject: (project) => [violated("The rule received " + JSON.stringify(project))],
});

new PolicyPack("spies", {
  policies: [{
    name: rule.name,
    description: rule.description,
    validateResource: ({ type, props }, report) => {
      for (const project of auditedProjects(type, props)) {
        const [{ password }] = props.credentials.databases.live;
        report("The pack received a password of " + password.length + " letters");
        for (const { message } of rule.check(project)) report(message);
      }
    },
  }],
});
`;

describe("the policy pack with the real engine", () => {
  const engine = useEngine({ sandboxFor: "suite" });
  let pack: string;
  before(async () => {
    pack = await copiedPack("policy-pack");
  });

  /** Copies the example into the workbench, which has its packages. Returns its folder. */
  async function copiedPack(name: string): Promise<string> {
    const directory = join(engine.workbench.directory, name);
    await cp(join(repository, "examples/policy-pack"), directory, { recursive: true });
    return directory;
  }

  /** Writes a policy config. Returns the options of the CLI that use it. */
  async function config(name: string, policies: object): Promise<string[]> {
    const file = join(engine.workbench.directory, `${name}.json`);
    await writeFile(file, JSON.stringify(policies));
    return ["--policy-pack", pack, "--policy-pack-config", file];
  }

  async function stack(name: string, text: string): Promise<Project> {
    const project = await engine.workbench.project(name, { program: text });
    await project.configure(engine.sandbox);
    return project;
  }

  it("fails a stack that violates a rule, and prints project, environment, rule and remedy", async () => {
    const project = await stack("policy-violating", program);
    for (const command of ["preview", "up"]) {
      const { code, stdout, stderr } = await project.cli(
        command,
        ...(command === "up" ? ["--yes", "--skip-preview"] : []),
        "--policy-pack",
        pack,
      );
      const printed = stdout + stderr;
      assert.notEqual(code, 0, printed);
      assert.match(printed, /\[mandatory\] \[severity: high\] +restricted-databases/);
      assert.match(
        printed,
        /Project shop \(p-1\), environment stage, rule restricted-databases: The database shop_search_stage is not restricted by address\. Set allowedIP/,
      );
      assert.doesNotMatch(printed, /environment live/);
      assertHoldsNone(command, printed, engine.secrets());
    }
    const { stdout: state } = await project.cli("stack", "export");
    assert.doesNotMatch(state, /ProjectSnapshot/);
  });

  it("tells the engine the severity, the names, the remedy and the options of each rule", async () => {
    const { policiesList } = await analyzerInfo(pack);
    assert.deepEqual(
      policiesList.map(({ name }) => name),
      houseRules().map(({ name }) => name),
    );
    const policy = policiesList.find(({ name }) => name === "kept-deployments") as PolicyInfo;
    const { displayname, description, remediationSteps, severity, enforcementlevel, tagsList } =
      policy;
    const sent = {
      displayname,
      description,
      remediationSteps,
      severity,
      enforcementlevel,
      tagsList,
    };
    assert.deepEqual(sent, {
      displayname: "Kept deployments",
      description: "Every environment keeps at least 3 deployments.",
      remediationSteps: "Set deploymentsToKeep to 3 or more in the Project Service.",
      severity: 3, // high
      enforcementlevel: 1, // mandatory
      tagsList: ["hosting"],
    });
    const options = policy.configschema.properties.fieldsMap.map(([option]) => option);
    assert.deepEqual(options, ["environments", "minimum", "projects"]);
  });

  it("takes the options of a rule and its enforcement level from the policy config", async () => {
    const project = await stack("policy-config", program);
    const options = await config("policies", {
      "kept-deployments": { minimum: 99, enforcementLevel: "advisory" },
      "restricted-databases": { environments: ["live"] },
    });
    const { stdout, stderr } = await project.cli("preview", ...options);
    const printed = stdout + stderr;
    assert.match(
      printed,
      /\[advisory\].*kept-deployments[^]*The environment keeps \d deployments\. Set deploymentsToKeep to 99 or more/,
    );
    assert.doesNotMatch(printed, /restricted-databases/);
    assertHoldsNone("preview", printed, engine.secrets());
  });

  for (const [title, policies, expected] of [
    ["an invalid value", { "kept-deployments": { minimum: 0 } }, /minimum/],
    ["an unknown option", { "kept-deployments": { minimun: 5 } }, /minimun/],
  ] as const) {
    it(`refuses a policy config with ${title}, and names the policy and the option`, async () => {
      const name = `policy-config-${title.split(" ")[1]}`;
      const project = await stack(name, program);
      const { code, stdout, stderr } = await project.cli(
        "preview",
        ...(await config(name, policies)),
      );
      const printed = stdout + stderr;
      assert.notEqual(code, 0, printed);
      assert.match(printed, /kept-deployments/);
      assert.match(printed, expected);
      assertHoldsNone("preview", printed, engine.secrets());
    });
  }

  it("gives the rules of a user no credential, although Pulumi decrypts it for the pack", async () => {
    const directory = await copiedPack("spy-pack");
    await writeFile(join(directory, "index.ts"), spyPack);
    const project = await stack("policy-spy", program);
    const { stdout, stderr } = await project.cli("preview", "--policy-pack", directory);
    const printed = stdout + stderr;
    const { password } = engine.liveDatabase();
    assert.match(printed, new RegExp(`The pack received a password of ${password.length} letters`));
    assert.match(printed, /The rule received {.*"name":"shop_live".*"recordsCredentials":true}/);
    assertHoldsNone("preview", printed, engine.secrets());
  });

  it("judges each project of a ProjectsSnapshot, and the inaccessible ones", async () => {
    const project = await stack("policy-fleet", fleetProgram);
    engine.sandbox.forbiddenProjectIds.add("p-2");
    const { code, stdout, stderr } = await project.cli("preview", "--policy-pack", pack);
    engine.sandbox.forbiddenProjectIds.clear();
    const printed = stdout + stderr;
    assert.notEqual(code, 0, printed);
    assert.match(
      printed,
      /Project shop \(p-1\), environment stage, rule restricted-databases: The database shop_stage/,
    );
    const unread = printed.match(
      /Project p-2 \(p-2\), rule [\w-]+: The project could not be read/g,
    );
    assert.equal(unread?.length, houseRules().length);
    assertHoldsNone("preview", printed, engine.secrets());
  });

  it("checks what a ProjectsSnapshot records, and says once which other fields a rule needs", async () => {
    const project = await stack(
      "policy-fields",
      `import * as projectService from "pulumi-project-service";
new projectService.ProjectsSnapshot("fleet", {
  fields: ["status", "environments.databases.allowedIP", "hasDatabases"],
});
`,
    );
    const { stdout, stderr } = await project.cli("preview", "--policy-pack", pack);
    const printed = stdout + stderr;
    assert.match(
      printed,
      /Project shop \(p-1\), environment stage, rule restricted-databases: The database shop_stage/,
    );
    const needs = printed.match(/rule ([\w-]+): The rule checked no project of this resource/g);
    assert.equal(needs?.length, 6, printed);
    assert.match(
      printed,
      /rule webroot-location: .* not recorded: add environments\.webroot to fields\./,
    );
    assertHoldsNone("preview", printed, engine.secrets());
  });

  it("lets a stack without violations run", async () => {
    const project = await stack("policy-clean", cleanProgram);
    const { code, stdout, stderr } = await project.cli(
      ...["up", "--yes", "--skip-preview"],
      "--policy-pack",
      pack,
    );
    assert.equal(code, 0, stdout + stderr);
    assert.match(stdout, /Policies:/);
    assert.doesNotMatch(stdout, /mandatory|advisory/);
    assertHoldsNone("up", stdout + stderr, engine.secrets());
  });
});

interface PolicyInfo {
  name: string;
  displayname: string;
  description: string;
  remediationSteps: string;
  severity: number;
  enforcementlevel: number;
  tagsList: string[];
  configschema: { properties: { fieldsMap: [string, unknown][] } };
}

/** Starts a policy pack as the language host does, and asks it for its policies as the engine does. */
async function analyzerInfo(pack: string): Promise<{ policiesList: PolicyInfo[] }> {
  const inPack = createRequire(join(pack, "package.json"));
  const runner = inPack.resolve("@pulumi/pulumi/cmd/run-policy-pack");
  const child = spawn(process.execPath, [runner, "127.0.0.1:0", "."], {
    cwd: pack,
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [port] = (await once(child.stdout, "data")) as [Buffer];
    const { credentials } = inPack("@grpc/grpc-js") as {
      credentials: { createInsecure(): unknown };
    };
    const { AnalyzerClient } = inPack("@pulumi/pulumi/proto/analyzer_grpc_pb") as {
      AnalyzerClient: new (address: string, credentials: unknown) => AnalyzerClient;
    };
    const { Empty } = inPack("google-protobuf/google/protobuf/empty_pb") as {
      Empty: new () => unknown;
    };
    const address = `127.0.0.1:${port.toString().trim()}`;
    const client = new AnalyzerClient(address, credentials.createInsecure());
    try {
      return await new Promise((resolve, reject) => {
        client.getAnalyzerInfo(new Empty(), (error, info) => {
          if (error === null) resolve(info.toObject());
          else reject(error);
        });
      });
    } finally {
      client.close();
    }
  } finally {
    child.kill();
  }
}

interface AnalyzerClient {
  getAnalyzerInfo(
    request: unknown,
    callback: (error: Error | null, info: { toObject(): { policiesList: PolicyInfo[] } }) => void,
  ): void;
  close(): void;
}
