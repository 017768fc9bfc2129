import assert from "node:assert/strict";
import { sampleProjects, type Sandbox, startSandbox } from "../../sandbox/index.js";
import { withoutCredentials } from "../../provider/wire/credentials.js";
import { mapProject } from "../../provider/wire/mapping.js";
import { validateProject } from "../../provider/wire/validate.js";

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

  it("issues tokens in the form of the interface document, and accepts a refresh token once", async () => {
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

  it("returns 401 and 404 as the real service does", async () => {
    const { body } = await requestToken();
    const token = body["access_token"];
    assert.equal(await statusOf("/projects", token), 200);
    assert.equal(await statusOf("/projects/p-1", token), 200);
    assert.equal(await statusOf("/projects/p-1", "wrong"), 401);
    assert.equal(await statusOf("/projects/p-99", token), 404);
    assert.equal(await statusOf("/groups", token), 404);
  });

  it("refuses projects without an id or a name", async () => {
    const [shop, blog] = sampleProjects();
    for (const [projects, message] of [
      [{}, /^projects must be a list/],
      [[shop, { ...blog, name: undefined }], /^projects\[1\]\.name /],
      [[shop, shop], /^projects\[1\]\._id .* projects\[0\]/],
    ] as [never, RegExp][]) {
      const options = { projects };
      await assert.rejects(startSandbox(options), { name: "TypeError", message });
    }
  });

  it("has twelve projects with every field", () => {
    const projects = sampleProjects();
    assert.equal(projects.length, 12);
    for (const project of projects) {
      const { missingFields, environments } = mapProject(
        validateProject(project),
        withoutCredentials,
      );
      assert.deepEqual([missingFields, environments.flatMap((e) => e.missingFields)], [[], []]);
    }
    projects.pop();
    assert.equal(sampleProjects().length, 12, "each call returns a new copy");
  });
});
