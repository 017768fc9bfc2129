import assert from "node:assert/strict";
import { laterClass, programImports, useEngine } from "../../support/engineTest.js";
import { assertHoldsNone } from "../../support/leakSearch.js";

describe("programs on the real engine", () => {
  const engine = useEngine({ sandboxFor: "test" });

  it("pass credentials to all functions of Pulumi, to resources and to stack outputs", async () => {
    const project = await engine.workbench.project("passing", {
      program: `${programImports}
export = async () => {
  const args = { name: "shop", environmentId: "live", databaseName: "shop_live" };
  const database = await projectService.getDatabase(args);
  const { username, password } = database;
  console.log("printed", database);
  const stash = new pulumi.Stash("app", { input: { password, list: [password] } });
  return {
    password,
    database,
    all: pulumi.all([username, password]).apply(([user, text]) => user + ":" + text),
    text: pulumi.interpolate\`\${username}:\${password}\`,
    json: pulumi.jsonStringify({ password }),
    base64: password.apply((text) => Buffer.from(text).toString("base64")),
    stashed: stash.output,
  };
};
`,
    });
    await project.configure(engine.sandbox);
    const printed = await project.succeed("up", "--yes", "--skip-preview");
    assert.match(printed, /printed \{/);
    assertHoldsNone("the output", printed, engine.secrets());
    const { username, password } = engine.liveDatabase();
    const { database: whole, ...outputs } = await project.outputs();
    const text = `${username}:${password}`;
    assert.deepEqual(outputs, {
      password,
      all: text,
      text,
      json: JSON.stringify({ password }),
      base64: Buffer.from(password).toString("base64"),
      stashed: { password, list: [password] },
    });
    assert.equal((whole as { password: string }).password, password);
    const masked = JSON.parse(await project.succeed("stack", "output", "--json")) as object;
    assert.deepEqual(masked, {
      database: { ...(whole as object), username: "[secret]", password: "[secret]" },
      ...Object.fromEntries(Object.keys(outputs).map((name) => [name, "[secret]"])),
    });
  });

  it("recover from failed reads, and pipelineOutputs exports no text that stands beside the fields", async () => {
    const project = await engine.workbench.project("recovering", {
      program: `${programImports}
const { getDatabaseOutput, getProject, getProjectOutput, pipelineOutputs } = projectService;
// The oldest SDK does not have it.
const recover = (pulumi as { recover?: <T>(failing: pulumi.Output<T>, other: () => T) => pulumi.Output<T> }).recover;
const missing = { name: "missing" };
const outputs = recover && pipelineOutputs(getProjectOutput(missing));
export const recovered = recover && [
  recover(pulumi.output(1).apply(() => Promise.reject<string>(new Error("control"))), () => "control"),
  recover(getProjectOutput(missing).domain, () => "field"),
  recover(getProjectOutput(missing).apply(({ domain }) => domain), () => "apply"),
  recover(outputs!.project.domain, () => "project"),
  recover(outputs!.credentials.apply(() => "none"), () => "credentials"),
];
const database = { environmentId: "live", databaseName: "shop_live" };
export const secrets = recover && [
  recover(getDatabaseOutput({ name: "shop", ...database }).password, () => "plain"),
  recover(getDatabaseOutput({ ...missing, ...database }).password, () => "plain"),
].map((output) => pulumi.isSecret(output));
const shop = getProject({ name: "shop" });
const beside = shop.then(async (project) => {
  const password = await new Promise((resolve) => project.environments[0].databases[0].password.apply(resolve));
  const environments = project.environments.map((each) => ({ ...each, databaseUrl: password }));
  return { ...project, databaseUrl: password, environments };
});
export const { project } = pipelineOutputs(beside);
export const name = project.apply((all) => String("databaseUrl" in all));
`,
    });
    await project.configure(engine.sandbox);
    await project.succeed("up", "--yes", "--skip-preview");
    const outputs = JSON.parse(await project.succeed("stack", "output", "--json")) as Record<
      string,
      unknown
    >;
    const replacements = ["control", "field", "apply", "project", "credentials"];
    const { recovered = replacements, secrets = [true, false], name } = outputs;
    assert.deepEqual([recovered, secrets, name], [replacements, [true, false], "false"]);
    assertHoldsNone("the outputs", JSON.stringify(outputs), engine.secrets());
    assertHoldsNone("the state", await project.state(), engine.secrets());
  });

  it("wait for dependencies: unknown in a preview without a request, read in an update", async () => {
    const project = await engine.workbench.project("depending", {
      program: `${programImports}${laterClass("shop")}
const later = new Later("later");
const waiting = projectService.getProjectOutput({ name: "shop" }, { dependsOn: later });
const argument = projectService.getProjectOutput({ name: later.value });
export const domains = [waiting.domain, argument.domain];
export const { project, credentials } = projectService.pipelineOutputs(waiting);
`,
    });
    await project.configure(engine.sandbox);
    await project.succeed("preview");
    assert.equal(engine.sandbox.counters.passwordGrants, 0);
    await project.succeed("up", "--yes", "--skip-preview");
    const { domains } = await project.outputs();
    assert.deepEqual(domains, ["shop.example.com", "shop.example.com"]);
  });
});
