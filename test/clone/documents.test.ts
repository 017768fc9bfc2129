import assert from "node:assert/strict";
import { documentPaths, readDocument } from "../../tools/docs/documents.js";
import { hasCommands, needsPulumi, runDocument } from "../../tools/docs/runDocument.js";
import { findPulumi } from "../../tools/pulumi/pulumiCli.js";
import { repository } from "../support/paths.js";
import { toolOrSkip } from "../support/toolOrSkip.js";

describe("the commands of the documents", () => {
  for (const path of documentPaths(repository)) {
    const document = readDocument(repository, path);
    if (!hasCommands(document)) continue;
    it(`have the output that ${path} shows (npm run docs writes it)`, async function () {
      const say = (step: string) => console.error(`    ${step}`);
      const pulumi = needsPulumi(document)
        ? await toolOrSkip(this, () => findPulumi(say))
        : undefined;
      assert.equal(await runDocument(document, pulumi?.command), document);
    }).timeout(10 * 60_000);
  }

  it("run: a wrong output or a failing command is found", async () => {
    const document = "```console\n$ echo one\ntwo\n$ seq 1 5\n1\n…\n```\n";
    assert.equal(
      await runDocument(document),
      "```console\n$ echo one\none\n$ seq 1 5\n1\n…\n```\n",
    );
    await assert.rejects(runDocument("```sh\nfalse\n```\n"), /false ends with 1/);
  });

  it("use a sandbox in a second terminal until the document ends", async () => {
    const start =
      "<!-- In a second terminal -->\n\n```console\n$ npx pulumi-project-service sandbox --port 4000\n…\n```\n";
    const url = "http://127.0.0.1:4000/api/project/v5/projects";
    const status = `\`\`\`console\n$ curl -s -o /dev/null -w '%{http_code}' ${url}\n401\n\`\`\`\n`;
    assert.equal(await runDocument(start + status), start + status);
    await assert.rejects(
      runDocument(start.replace("4000", "x")),
      /The second terminal does not print [^]*--port must be an integer/,
    );
    const wait = "<!-- The second terminal prints: text -->\n\n```sh\ntrue\n```\n";
    await assert.rejects(runDocument(wait), /No command runs in the second terminal/);
    const settings =
      "<!-- Run the commands that the second terminal printed -->\n\n```sh\ntrue\n```\n";
    await assert.rejects(runDocument(settings), /The commands of the second terminal fail/);
  });
});
