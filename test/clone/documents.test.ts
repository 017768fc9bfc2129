import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { documentPaths, readDocument } from "../support/documents.js";
import { codeBlocks } from "../support/markdown.js";
import { runDocument } from "./runDocument.js";
import { repository } from "../support/paths.js";
import { resultOf, run, useWorkbench, type Workbench } from "../support/workbench.js";

/** The documents with programs and commands that people follow. */
const tutorials = [
  "README.md",
  ...["get-started", "snapshots", "pipelines", "audit", "testing"].map((page) => `docs/${page}.md`),
];

describe("the documents, followed in an empty folder with the packed package", () => {
  let workbench: Workbench;
  before(async function () {
    workbench = await useWorkbench(this);
  });

  async function runIn(name: string, document: string): Promise<string> {
    const { directory, pulumi } = await workbench.copy(`document-${name.replace(/\W/g, "-")}`);
    return runDocument(document, { directory, pulumi: pulumi.command });
  }

  for (const path of tutorials) {
    it(`${path} has commands with this output (npm run docs writes it)`, async () => {
      const document = readDocument(repository, path);
      const result = await runIn(path, document);
      if (process.env["UPDATE_DOCS"] === "1") await writeFile(join(repository, path), result);
      else assert.equal(result, document);
    });
  }

  it("would show a wrong output and a failing command", async () => {
    const document = "```console\n$ echo one\ntwo\n$ seq 1 5\n1\n…\n```\n";
    const shown = "```console\n$ echo one\none\n$ seq 1 5\n1\n…\n```\n";
    assert.equal(await runIn("output", document), shown);
    await assert.rejects(runIn("failure", "```sh\nfalse\n```\n"), /false ends with 1/);
  });

  it("have programs that compile, and show the type of a project as it is", async () => {
    const { directory } = await workbench.copy("document-types");
    const [[name, text]] = Object.entries(programs()) as [[string, string]];
    const wrong = { [`wrong-${name}`]: text.replaceAll("webroot", "webrot") };
    const problems = await problemsOf(directory, { ...programs(), ...wrong });
    assert.match(problems, /^wrong-.*webrot/);
    assert.equal(problems.replace(/^wrong-.*\n( .*\n)*/gm, ""), "");
  });
});

/** Returns the programs of all documents, by file name. */
function programs(): Record<string, string> {
  const entries = documentPaths(repository).flatMap((path) =>
    codeBlocks(readDocument(repository, path))
      .filter(({ language }) => ["ts", "js"].includes(language))
      .map(({ language, text }, index): [string, string] => [
        `${path.replace(/\W/g, "-")}-${index}.m${language}`,
        text.includes("interface Project {") ? text + comparison(path) : text,
      ]),
  );
  return Object.fromEntries(entries);
}

/** Assigns the real type of a project to the shown one. The complete type in the reference also fits the real one. */
function comparison(path: string): string {
  const real = `import("pulumi-project-service").ProjectWithCredentials`;
  const both = path === "docs/reference.md" ? `({}) as Project satisfies ${real};` : "";
  return `({}) as ${real} satisfies Project;${both}\n`;
}

async function problemsOf(directory: string, files: Record<string, string>): Promise<string> {
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
  const compilerOptions = {
    ...{ module: "nodenext", target: "es2022", types: ["node"], allowJs: true, checkJs: true },
    ...{ strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true },
    ...{ noEmit: true, skipLibCheck: true },
  };
  const config = { compilerOptions, files: Object.keys(files) };
  await writeFile(join(directory, "tsconfig.json"), JSON.stringify(config));
  return (await resultOf(run("npx", ["tsc", "-p", "."], { cwd: directory }))).stdout;
}
