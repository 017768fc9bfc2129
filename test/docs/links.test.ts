import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { brokenLinks, documentPaths, readDocument } from "../support/documents.js";
import { codeBlocks, codeSpans } from "../support/markdown.js";
import { repository } from "../support/paths.js";

describe("the links of the documents", () => {
  it("all lead to a file, a heading or an https address", () => {
    assert.deepEqual(brokenLinks(repository), []);
  });
});

describe("the commands in documents, examples and messages", () => {
  it("run the installed package, and never one of that name from npm", () => {
    const paths = ["docs", "examples", "skills", "command"].flatMap((folder) =>
      readdirSync(join(repository, folder), { recursive: true, encoding: "utf8" })
        .filter((path) => !path.includes("node_modules") && /\.(md|yml|[cm]?[jt]s)$/.test(path))
        .map((path) => join(folder, path)),
    );
    const texts = ["README.md", ...paths].map((path) => readDocument(repository, path));
    const commands = texts.flatMap((text) => text.match(/npx [^`\n]*/g) ?? []);
    const ofPackage = commands.filter((command) => command.includes("pulumi-project-service"));
    assert.ok(ofPackage.length > 20);
    // After `--no` and the name, npx takes options for its own until the first word, such as `check`. After `--`, it takes none.
    const wrong = ofPackage.filter(
      (each) => !/^npx --no (pulumi-project-service [a-z]|-- pulumi-project-service )/.test(each),
    );
    assert.deepEqual(wrong, []);
  });
});

describe("the commands to paste", () => {
  it("have no comment, which zsh on macOS takes as arguments", () => {
    const lines = documentPaths(repository).flatMap((path) =>
      codeBlocks(readDocument(repository, path))
        .filter(({ language }) => ["sh", "console"].includes(language))
        .flatMap(({ text }) => text.split("\n")),
    );
    assert.deepEqual(
      lines.filter((line) => / # /.test(line)),
      [],
    );
  });
});

describe("what the documents name", () => {
  const isPath =
    /^(\.ci|\.github|provider|audit|command|sdk|sandbox|tools|bench|examples|test|docs|schemas)\/[\w./-]*$/;

  for (const path of documentPaths(repository).filter((each) => each !== "CHANGELOG.md")) {
    it(`exists: files, folders and npm scripts in ${path}`, async () => {
      const text = readDocument(repository, path);
      const missing = codeSpans(text).filter(
        (span) => isPath.test(span) && !existsSync(join(repository, span)),
      );
      assert.deepEqual(missing, []);
      const { scripts } = JSON.parse(await readFile(join(repository, "package.json"), "utf8")) as {
        scripts: Record<string, string>;
      };
      for (const [, name = ""] of text.matchAll(/\bnpm run (?:--silent )?([\w:-]+)/g)) {
        assert.ok(Object.hasOwn(scripts, name), `npm run ${name}`);
      }
    });
  }
});
