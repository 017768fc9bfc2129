import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { codeBlocks } from "../support/markdown.js";
import { repository } from "../support/paths.js";
import { run, useWorkbench } from "../support/workbench.js";

describe("the demo", () => {
  const read = (path: string) => readFile(join(repository, path), "utf8");
  let printed: string;

  before(async function () {
    await useWorkbench(this);
    const demo = join(repository, "dist/tools/demo.js");
    const env = { ...process.env, PROJECT_SERVICE_REALM: "mine" };
    ({ stdout: printed } = await run(process.execPath, [demo], { cwd: repository, env }));
  });

  it("is a tour of at most 30 lines with the sandbox, which shows no credential", () => {
    for (const part of ["[secret]", " → ", " audited", ".demo/audit.html", "password ****"]) {
      assert.ok(printed.includes(part), `${part} in ${printed}`);
    }
    assert.match(printed, /^• This tour reads the sandbox, not .* PROJECT_SERVICE_\* variables/);
    assert.match(printed, /the state of this stack contains 0 of the credentials/m);
    const lines = printed.trimEnd().split("\n");
    assert.ok(lines.length <= 30, printed);
    assert.ok(existsSync(join(repository, ".demo/audit.html")));
    assert.ok(!existsSync(join(repository, ".demo/state")));
  });

  it("prints the program and the output in the README (npm run docs writes them)", async () => {
    const readme = await read("README.md");
    const blocks = codeBlocks(readme);
    const [program, output] = ["index.ts", "demo"].map((name) =>
      blocks.find(({ file }) => file === name),
    );
    assert.equal(program?.text, await read("examples/quickstart/index.ts"));
    const shown = `$ pulumi up --yes --skip-preview
${linesOf(/^ {4}Outputs:$|^ {8}(?:url|webroot) *: .*$/gm)}
…
# Then someone deploys v2.2.0 of shop, and unguards a branch of blog.
$ npx --no pulumi-project-service drift
${linesOf(/^ {4}.* → .*$/gm)}
…
`;
    if (process.env["UPDATE_DOCS"] === "1") {
      await writeFile(
        join(repository, "README.md"),
        readme.replace(output!.text, () => shown),
      );
    } else assert.equal(output?.text, shown);
  });

  function linesOf(pattern: RegExp): string {
    return (printed.match(pattern) ?? []).map((line) => line.slice(4)).join("\n");
  }
});
