import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { sampleProjects } from "../../../sandbox/index.js";
import {
  sendJson,
  type ScriptedServer,
  startScriptedServer,
} from "../../support/scriptedServer.js";
import { configOf, useWorkbench, type Workbench } from "../../support/workbench.js";

const program = `import * as pulumi from "@pulumi/pulumi";
import { getProjects } from "pulumi-project-service";
export = async () => {
  const { projects } = await getProjects();
  for (const { projectId, name } of projects) new pulumi.Stash(projectId, { input: name });
};
`;

interface Failure {
  readonly respond: (response: ServerResponse) => void;
  readonly message: RegExp;
  readonly timeoutSeconds?: string;
}

const failures: readonly Failure[] = [
  {
    respond: (response) =>
      void response.socket?.end(
        "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
      ),
    message: /not valid HTTP \(UNEXPECTED_UPGRADE\)/,
  },
  {
    respond: (response) => void response.socket?.destroy(),
    message: /no response from 127\.0\.0\.1:\d+ \(ECONNRESET\)/,
  },
  { respond: () => {}, message: /no complete response within 1 s/, timeoutSeconds: "1" },
  { respond: (response) => sendJson(response, 200, {}), message: /_embedded is missing/ },
];

/** Pulumi deletes resources that a program does not register, so a program that ends early must fail. */
describe("a program with a resource for each project, when the service fails", () => {
  let workbench: Workbench;
  let server: ScriptedServer;
  before(async function () {
    workbench = await useWorkbench(this);
    server = await startScriptedServer();
  });

  const list = sampleProjects().map(({ _id, name }) => ({ _id, name }));
  function serve(respondWithList: (response: ServerResponse) => void): void {
    server.respond = (request, response) => {
      if (request.url?.startsWith("/auth/")) return sendJson(response, 200, { access_token: "t" });
      respondWithList(response);
    };
  }

  it("keeps all resources and fails with the reason", async () => {
    const project = await workbench.project("bad-service", { program });
    const settings = { baseUrl: server.url, authUrl: server.url, realm: "r", clientId: "c" };
    await project.setConfig(configOf({ ...settings, username: "u", password: "p" }));
    serve((response) => sendJson(response, 200, { _embedded: { projectResources: list } }));
    await project.succeed("up", "--yes", "--skip-preview");
    const urns = async () => (await project.resources()).map(({ urn }) => urn).sort();
    const before = await urns();
    assert.ok(before.length > list.length);

    for (const { respond, message, timeoutSeconds = "15" } of failures) {
      await project.setConfig(configOf({ timeoutSeconds }));
      serve(respond);
      const { code, stdout, stderr } = await project.cli("up", "--yes", "--skip-preview");
      assert.notEqual(code, 0, stdout);
      assert.match(stdout + stderr, message);
      assert.doesNotMatch(stdout, /deleted/);
    }
    assert.deepEqual(await urns(), before);
  });
});
