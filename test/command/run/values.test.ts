import assert from "node:assert/strict";
import { assertFailed, useCommandProcess } from "../commandProcess.js";

describe("the values of pulumi-project-service env and run", () => {
  const command = useCommandProcess();
  const env = (...args: string[]) => command.run(["env", "live", "--format", "json", ...args]);

  async function namesOf(...args: string[]): Promise<string[]> {
    const { code, stdout, stderr } = await env(...args);
    assert.equal(code, 0, stderr);
    return Object.keys(JSON.parse(stdout) as object);
  }

  it("are of the project with a name or an id", async () => {
    for (const project of ["shop", "p-1"]) {
      const { stdout } = await env("--project", project);
      assert.match(stdout, /"PROJECT_ID": "p-1",\n {2}"PROJECT_NAME": "shop"/);
    }
    const unknown = await env("--project", "shpo");
    assertFailed(unknown, /^--project shpo is neither .* Did you mean shop\? Known projects:/);
  });

  it("are of no project if the text is the name of one and the id of another, or of two", async () => {
    const [shop, other] = command.sandbox.projects;
    for (const name of ["p-1", "shop"]) {
      other!.name = name;
      const { _id: id } = other!;
      const ambiguous = new RegExp(`^--project ${name} is .* 2 projects: .*p-1.*Pass an id`);
      assertFailed(await env("--project", name), ambiguous);
      assert.ok((await namesOf("--project", id)).length > 0);
    }
    assert.equal(shop!.name, "shop");
  });

  it("come without credentials from a user who sees none", async () => {
    for (const { projectEnvironmentDatabases } of command.sandbox.projects[0]!
      .projectEnvironments) {
      for (const database of projectEnvironmentDatabases.databases) {
        Object.assign(database, { username: null, password: null });
      }
    }
    assert.ok((await namesOf("--project", "shop")).includes("PROJECT_WEBROOT"));
  });

  it("say that a password is empty or not shown", async () => {
    const { databases } =
      command.sandbox.projects[0]!.projectEnvironments[0]!.projectEnvironmentDatabases;
    const [first] = databases;
    const args = ["--credentials", "--database", first!.name, "--output", "live.env"];
    const message =
      /^The service shows no password of .* "shop_live", or an empty one\..*, or read without credentials \(includeCredentials: false, or a command without --credentials\)\.\n$/;
    for (const password of ["", null]) {
      Object.assign(first!, { password });
      assertFailed(await env("--project", "shop", ...args), message);
    }
  });

  it("do not rename a URL that is not made", async () => {
    const args = ["--credentials", "--output", "a.env", "--rename", "PROJECT_DATABASE_URL=A"];
    const result = await env("--project", "shop", ...args);
    assertFailed(result, /^--rename PROJECT_DATABASE_URL needs --database-url\.$/m);
  });

  it("of a stack need no connection", async () =>
    assertFailed(await env("--connection", "a"), /^--connection needs --project\.$/m));

  it("have other names after --rename", async () => {
    const renames = ["PROJECT_WEBROOT=DIR", "PROJECT_DOMAIN=PROJECT_WEBROOT"];
    const names = await namesOf(
      "--project",
      "shop",
      ...renames.flatMap((each) => ["--rename", each]),
    );
    assert.ok(names.includes("DIR") && names.includes("PROJECT_WEBROOT"));
    assert.ok(!names.includes("PROJECT_DOMAIN"));
  });

  for (const [renames, message] of [
    [["PROJECT_DOMIAN=A"], /there is no variable PROJECT_DOMIAN\. Did you mean PROJECT_DOMAIN\?/],
    [["project_domain=A"], /there is no variable project_domain\. Did you mean PROJECT_DOMAIN\?/],
    [["PROJECT_DATABASE_NAME=A"], /^--rename PROJECT_DATABASE_NAME needs --credentials\.$/m],
    [["PROJECT_DOMAIN=A", "PROJECT_WEBROOT=A"], /two variables would have the name A\./],
    [["PROJECT_DOMAIN=PROJECT_WEBROOT"], /two variables would have the name PROJECT_WEBROOT\./],
    [["PROJECT_DOMAIN=A", "PROJECT_DOMAIN=B"], /renames PROJECT_DOMAIN twice\./],
    [["PROJECT_DOMAIN=1A"], /must be <old>=<new>\. The new name may contain only letters/],
  ] as const) {
    it(`are refused for --rename ${renames.join(" ")}`, async () => {
      const args = renames.flatMap((each) => ["--rename", each]);
      assertFailed(await env("--project", "shop", ...args), message);
    });
  }
});
