import assert from "node:assert/strict";
import { documentPaths, readDocument } from "../../tools/docs/documents.js";
import { hasCommands, needsPulumi, runDocument } from "../../tools/docs/runDocument.js";
import { findPulumi } from "../../tools/external/pulumiCli.js";
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
});
