import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import ts from "typescript";
import { assertGoldenText } from "../support/goldenFile.js";
import { repository } from "../support/paths.js";

const entryPoints = {
  "pulumi-project-service": "sdk/index",
  "pulumi-project-service/sandbox": "sandbox/index",
  "pulumi-project-service/policies": "audit/policies",
};
const commands = ["", "audit", "check", "drift", "env", "export", "run", "sandbox"];

/** The declarations that an earlier entry point has. */
const printed = new Set<string>();

/** Returns what an entry point exports, and then the declarations of this package that these use. */
function declarationsOf(entry: string): string[] {
  // The compiler has slashes in all paths.
  const dist = join(repository, "dist").replaceAll("\\", "/");
  const file = `${dist}/${entry}.d.ts`;
  const program = ts.createProgram([file], { module: ts.ModuleKind.NodeNext, types: ["node"] });
  const checker = program.getTypeChecker();
  const printer = ts.createPrinter({ removeComments: true });
  const texts = new Map<ts.Symbol, string>();
  const used = new Set<ts.Symbol>();
  const add = (name: ts.Symbol) => {
    const isAlias = (name.flags & ts.SymbolFlags.Alias) !== 0;
    const symbol = isAlias ? checker.getAliasedSymbol(name) : name;
    if (texts.has(symbol)) return;
    const declarations = (symbol.declarations ?? []).filter(
      (node) => node.getSourceFile().fileName.startsWith(dist) && isDeclaration(node),
    );
    if (declarations.length === 0) return;
    texts.set(symbol, declarations.map(textOf).join("\n"));
    for (const declaration of declarations) findUsed(declaration);
  };
  const findUsed = (node: ts.Node) => {
    const symbol = ts.isIdentifier(node) ? checker.getSymbolAtLocation(node) : undefined;
    if (symbol !== undefined) used.add(symbol);
    node.forEachChild(findUsed);
  };
  const textOf = (node: ts.Node) =>
    printer
      .printNode(ts.EmitHint.Unspecified, node, node.getSourceFile())
      .replace(/^(export )?(declare )?/, "");
  const names = checker.getExportsOfModule(
    checker.getSymbolAtLocation(program.getSourceFile(file)!)!,
  );
  names.forEach(add);
  const exported = [...texts.values()];
  for (const symbol of used) add(symbol);
  const internal = [...texts.values()].slice(exported.length).filter((text) => !printed.has(text));
  for (const text of texts.values()) printed.add(text);
  return [...exported.toSorted(), "// not exported", ...internal.toSorted()];
}

function isDeclaration(node: ts.Node): boolean {
  return (
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    (ts.isVariableDeclaration(node) && ts.isSourceFile(node.parent.parent.parent))
  );
}

function usageOf(command: string): string {
  const cli = join(repository, "dist/command/cli.js");
  const words = [command, "--help"].filter(Boolean);
  return execFileSync(process.execPath, [cli, ...words], { encoding: "utf8" });
}

/*
 * A name that changes after a release breaks programs. So each change of a name, a type, an option, an exit code or an
 * error code is a line in the difference of this file, to be judged by people.
 */
describe("the public API", () => {
  const modules = Object.entries(entryPoints).map(
    ([name, entry]) => `# ${name}\n\n${declarationsOf(entry).join("\n\n")}\n`,
  );

  it("has the names, types, options and codes of test/docs/api.txt", () => {
    const usages = commands.map((name) => `# ${name || "commands"}\n\n${usageOf(name)}`);
    assertGoldenText("test/docs/api.txt", [...modules, ...usages].join("\n"));
  });

  it("has optional properties that may be undefined", () => {
    const exact = modules.join("\n").match(/^ +(readonly )?\w+\?: .*(?<!undefined>?);$/gm) ?? [];
    // A result, whose entries are texts.
    const known = ["readonly clientSecret?: string;"];
    assert.deepEqual([...new Set(exact.map((line) => line.trim()))], known);
  });
});
