import assert from "node:assert/strict";
import { createProjectsProvider } from "../../../provider/snapshot/dynamicProvider.js";
import { sampleProjects, startSandbox } from "../../../sandbox/index.js";
import { sendJson, startScriptedServer } from "../../support/scriptedServer.js";

describe("the dynamic provider of ProjectsSnapshot", () => {
  async function read(recorded: object, connection: Readonly<Record<string, string>>) {
    const provider = createProjectsProvider();
    const get = (key: string) => connection[key.replace("project-service:", "")];
    await provider.configure!({ config: { get, require: (key: string) => get(key) as string } });
    return provider.read!("projects", recorded);
  }

  it("fails if the list omits a recorded project whose read is denied", async () => {
    const server = await startScriptedServer();
    const [shop, blog] = sampleProjects();
    server.respond = ({ url = "" }, response) => {
      if (url.includes("/token")) return sendJson(response, 200, { access_token: "t" });
      if (url.endsWith("/projects")) {
        return sendJson(response, 200, { _embedded: { projectResources: [shop] } });
      }
      sendJson(response, url.endsWith("p-1") ? 200 : 403, shop);
    };
    const recorded = {
      service: `${server.url}/api/project/v5`,
      projects: { "p-1": {}, [blog!._id]: {} },
    };
    const who = { realm: "r", clientId: "c", username: "u", password: "p" };
    const connection = { baseUrl: server.url, authUrl: server.url, ...who };
    await assert.rejects(read(recorded, connection), {
      message: /project p-2 failed: .*denied access \(403\).*A refresh uses the settings/s,
    });
  });

  it("records the same fields as before", async () => {
    const sandbox = await startSandbox();
    try {
      const fields = ["status", "environments.webroot"];
      const recorded = {
        service: `${sandbox.connection.baseUrl}/api/project/v5`,
        filters: [{ key: "name", values: ["docs"] }],
        fields,
      };
      const { props, inputs } = await read(recorded, { ...sandbox.connection });
      assert.deepEqual(inputs, props);
      const { projects, ...others } = props as { projects: Record<string, object> };
      const constant = { inaccessible: [], includeCredentials: false, fieldsVersion: 1 };
      assert.deepEqual(others, { ...recorded, ...constant });
      const [[projectId, docs] = [], ...rest] = Object.entries(projects);
      assert.deepEqual(rest, []);
      const { status, projectEnvironments } = sandbox.projects.find(({ name }) => name === "docs")!;
      assert.deepEqual(docs, {
        projectId,
        name: "docs",
        status,
        environments: projectEnvironments.map(({ environmentId, projectEnvironmentCode }) => ({
          environmentId,
          webroot: projectEnvironmentCode.webroot,
          missingFields: [],
        })),
        missingFields: [],
      });
    } finally {
      await sandbox.close();
    }
  });
});
