import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { sampleProjects } from "../../sandbox/index.js";
import { sendJson, type ScriptedServer, startScriptedServer } from "../support/scriptedServer.js";
import { useWorkbench, type Workbench } from "./workbench.js";

const program = `import * as pulumi from "@pulumi/pulumi";
import { getProjects } from "pulumi-project-service";
export = async () => {
  const { projects } = await getProjects();
  for (const { projectId, name } of projects) new pulumi.Stash(projectId, { input: name });
};
`;

/** Pulumi deletes what a program does not register: a program that ends early must fail. */
describe("a program that makes resources of a list, when the service turns bad", () => {
  let workbench: Workbench;
  let server: ScriptedServer;
  before(async function () {
    workbench = await useWorkbench(this);
    server = await startScriptedServer();
  });

  const list = sampleProjects().map(({ _id, name }) => ({ _id, name }));
  function serve(answerList: (response: ServerResponse) => void): void {
    server.answer = (request, response) => {
      if (request.url?.startsWith("/auth/")) return sendJson(response, 200, { access_token: "t" });
      answerList(response);
    };
  }

  it("keeps all resources, and fails with what is wrong", async () => {
    const project = await workbench.project("bad-service", { program });
    for (const [key, value] of Object.entries({
      baseUrl: server.url,
      authUrl: server.url,
      realm: "r",
      clientId: "c",
      username: "u",
      password: "p",
      timeoutSeconds: "1",
    })) {
      await project.stack.setConfig(`project-service:${key}`, {
        value,
        secret: key === "password",
      });
    }
    serve((response) => sendJson(response, 200, { _embedded: { projectResources: list } }));
    const first = await project.cli("up", "--yes", "--skip-preview");
    assert.equal(first.code, 0, first.stdout + first.stderr);
    const before = (await project.cli("stack", "export")).stdout;

    for (const [answer, says] of [
      [
        (response: ServerResponse) =>
          void response.socket?.end(
            "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
          ),
        /the answer is broken \(UNEXPECTED_UPGRADE\)/,
      ],
      [(response: ServerResponse) => void response.socket?.destroy(), /no answer from/],
      [() => {}, /no complete response within 1 s/],
      [(response: ServerResponse) => sendJson(response, 200, {}), /_embedded is missing/],
    ] as const) {
      serve(answer);
      const { code, stdout, stderr } = await project.cli("up", "--yes", "--skip-preview");
      assert.notEqual(code, 0, stdout);
      assert.match(stdout + stderr, says);
      assert.doesNotMatch(stdout, /deleted/);
    }
    const resources = (text: string) =>
      (JSON.parse(text) as { deployment: { resources: { urn: string }[] } }).deployment.resources
        .map(({ urn }) => urn)
        .sort();
    const after = (await project.cli("stack", "export")).stdout;
    assert.deepEqual(resources(after), resources(before));
    assert.ok(resources(after).length > list.length);
  });
});
