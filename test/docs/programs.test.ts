import assert from "node:assert/strict";
import { join } from "node:path";
import ts from "typescript";
import { documentPaths, readDocument } from "../../tools/docs/documents.js";
import { codeBlocks } from "../../tools/docs/markdown.js";
import { repository } from "../support/paths.js";

/** A program of a document, as an ES module in the repository. */
interface Program {
  readonly name: string;
  readonly text: string;
}

const options: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  allowJs: true,
  checkJs: true,
  skipLibCheck: true,
  types: ["node"],
  paths: {
    "pulumi-project-service": [join(repository, "dist/sdk/index.d.ts")],
    "pulumi-project-service/policies": [join(repository, "dist/audit/policies.d.ts")],
    "pulumi-project-service/sandbox": [join(repository, "dist/sandbox/index.d.ts")],
  },
};

/** Returns what the compiler finds wrong in programs that are not on disk. */
function problemsOf(programs: readonly Program[]): string[] {
  const texts = new Map(programs.map(({ name, text }) => [join(repository, name), text]));
  const host = ts.createCompilerHost(options);
  const program = ts.createProgram([...texts.keys()], options, {
    ...host,
    fileExists: (file) => texts.has(file) || host.fileExists(file),
    readFile: (file) => texts.get(file) ?? host.readFile(file),
    getSourceFile(file, ...others) {
      const text = texts.get(file);
      if (text === undefined) return host.getSourceFile(file, ...others);
      return ts.createSourceFile(file, text, others[0], true);
    },
  });
  return ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const line = file?.getLineAndCharacterOfPosition(start ?? 0).line ?? 0;
    return `${file?.fileName}:${line + 1} ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
  });
}

const programs = documentPaths(repository).flatMap((path) =>
  codeBlocks(readDocument(repository, path))
    .filter(({ language }) => ["ts", "js"].includes(language))
    .map(({ language, file, text }, index): Program => {
      const name = `${path.replace(/\W/g, "-")}-${index}.mts`;
      // A module in JavaScript keeps its name, because others may import it.
      return { name: language === "js" ? (file ?? name) : name, text };
    }),
);

describe("the programs of the documents", function () {
  this.timeout(60_000);

  it("compile", () => {
    assert.ok(programs.length >= 12, `${programs.length} programs`);
    assert.deepEqual(problemsOf(programs), []);
  });

  it("would not compile with a wrong name", () => {
    const [program] = programs as [Program];
    const wrong = { ...program, text: program.text.replaceAll("webroot", "webrot") };
    assert.match(problemsOf([wrong]).join("\n"), /'webrot' does not exist/);
  });

  it("are marked ts or js: other blocks are commands, JSON or YAML", () => {
    for (const path of documentPaths(repository)) {
      for (const { language } of codeBlocks(readDocument(repository, path))) {
        const known = ["ts", "js", "sh", "console", "json", "yaml"];
        assert.ok(known.includes(language), `${path}: ${language}`);
      }
    }
  });
});
