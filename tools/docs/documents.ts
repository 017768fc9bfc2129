import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The documents at the root of the repository, from its root. */
const rootDocuments = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "DESIGN.md", "SECURITY.md"];

/** Returns the paths of the documents of a repository or an unpacked package, from its root. */
export function documentPaths(root: string): string[] {
  const pages = readdirSync(join(root, "docs"));
  return [
    ...rootDocuments.filter((file) => existsSync(join(root, file))),
    ...pages.filter((file) => file.endsWith(".md")).map((file) => `docs/${file}`),
  ];
}

/** Returns the paths of the READMEs of examples, from the root of the repository. */
export function exampleReadmes(root: string): string[] {
  return readdirSync(join(root, "examples"))
    .map((example) => `examples/${example}/README.md`)
    .filter((file) => existsSync(join(root, file)));
}

/** Returns the text of a document. */
export function readDocument(root: string, path: string): string {
  return readFileSync(join(root, path), "utf8");
}
