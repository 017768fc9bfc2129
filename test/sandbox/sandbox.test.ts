import assert from "node:assert/strict";
import { sampleProjects, type Sandbox, startSandbox } from "../../sandbox/index.js";

describe("the sandbox", () => {
  let sandbox: Sandbox;
  beforeEach(async () => {
    sandbox = await startSandbox({ clientSecret: "cs" });
  });
  afterEach(() => sandbox.close());

  async function requestToken(changes: Record<string, string> = {}) {
    const { authUrl, realm, clientId, username, password } = sandbox.connection;
    const response = await fetch(`${authUrl}/auth/realms/${realm}/protocol/openid-connect/token`, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "password",
        client_id: clientId,
        client_secret: "cs",
        username,
        password,
        ...changes,
      }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  async function statusOf(path: string, token: unknown): Promise<number> {
    const response = await fetch(`${sandbox.connection.baseUrl}/api/project/v5${path}`, {
      headers: { authorization: `Bearer ${String(token)}` },
    });
    await response.arrayBuffer();
    return response.status;
  }

  it("issues tokens in the form of the interface document", async () => {
    const { status, body } = await requestToken();
    assert.equal(status, 200);
    assert.deepEqual(
      { ...body, access_token: "", refresh_token: "", session_state: "" },
      {
        access_token: "",
        expires_in: 900,
        refresh_expires_in: 900,
        refresh_token: "",
        token_type: "bearer",
        "not-before-policy": 0,
        session_state: "",
      },
    );
  });

  it("accepts a refresh token only once", async () => {
    const { body } = await requestToken();
    const refresh = { grant_type: "refresh_token", refresh_token: String(body["refresh_token"]) };
    assert.equal((await requestToken(refresh)).status, 200);
    assert.equal((await requestToken(refresh)).status, 400);
  });

  it("rejects a wrong password, client and client secret", async () => {
    assert.equal((await requestToken({ password: "x" })).body["error"], "invalid_grant");
    assert.equal((await requestToken({ client_id: "x" })).body["error"], "invalid_client");
    assert.equal((await requestToken({ client_secret: "x" })).body["error"], "unauthorized_client");
    assert.equal(sandbox.counters.rejectedGrants, 3);
  });

  it("returns 401, 403 and 404 as the real service does", async () => {
    const { body } = await requestToken();
    const token = body["access_token"];
    sandbox.forbiddenProjectIds.add("p-2");
    assert.equal(await statusOf("/projects", token), 200);
    assert.equal(await statusOf("/projects/p-1", token), 200);
    assert.equal(await statusOf("/projects/p-1", "wrong"), 401);
    assert.equal(await statusOf("/projects/p-2", token), 403);
    assert.equal(await statusOf("/projects/p-99", token), 404);
    sandbox.revokeAccessTokens();
    assert.equal(await statusOf("/projects", token), 401);
  });

  it("accepts the tokens of another identity provider if acceptsToken does", async () => {
    const other = await startSandbox({
      acceptsToken: (accessToken) => Promise.resolve(accessToken === "token-of-another-provider"),
    });
    const statuses = [];
    for (const authorization of ["Bearer token-of-another-provider", "Bearer forged", ""]) {
      const url = `${other.connection.baseUrl}/api/project/v5/projects`;
      const response = await fetch(url, { headers: { authorization } });
      await response.arrayBuffer();
      statuses.push(response.status);
    }
    assert.deepEqual(statuses, [200, 401, 401]);
    assert.equal(other.counters.refusedTokens, 2);
    await other.close();
  });

  it("listens on 127.0.0.1 and returns its settings as environment variables", () => {
    assert.match(sandbox.connection.baseUrl, /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.equal(sandbox.environment["PROJECT_SERVICE_CLIENT_SECRET"], "cs");
    assert.equal(sandbox.environment["PROJECT_SERVICE_BASE_URL"], sandbox.connection.baseUrl);
  });

  it("has twelve projects, in which every nullable field is null at least once and set at least once", () => {
    const projects = sampleProjects();
    const environments = projects.flatMap((project) => project.projectEnvironments);
    assert.equal(projects.length, 12);
    assert.ok(projects.every((project) => project.projectEnvironments.length >= 2));
    for (const values of [
      projects.map((project) => project.codeRepository.importRepository),
      environments.map((environment) => environment.projectEnvironmentAssets.initialized),
      environments.map((environment) => environment.projectEnvironmentCode.initialized),
      environments.map((environment) => environment.projectEnvironmentCode.importBranchOrTag),
      environments.flatMap((environment) =>
        environment.projectEnvironmentDatabases.databases.map(({ allowedIP }) => allowedIP),
      ),
    ]) {
      assert.ok(values.includes(null) && values.some((value) => value !== null));
    }
  });
});
