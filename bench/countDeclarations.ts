import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

const root = join(__dirname, "../..");

/**
 * Counts the lines of the declaration files in the tarball, without comments. This is the amount of
 * text that a user has to read to find a type.
 */
export function countDeclarations(): string {
  const listing = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: root,
    encoding: "utf8",
  });
  const [{ files }] = JSON.parse(listing) as [{ files: { path: string }[] }];
  const declarations = files.map(({ path }) => path).filter((path) => path.endsWith(".d.ts"));
  const lines = declarations.reduce((sum, path) => sum + countLines(join(root, path)), 0);
  return `declarations: ${lines} lines in ${declarations.length} files, without comments`;
}

function countLines(file: string): number {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest);
  const printed = ts.createPrinter({ removeComments: true }).printFile(source);
  return printed.split("\n").filter((line) => line.trim() !== "").length;
}
