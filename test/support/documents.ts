import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const rootDocuments = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "DESIGN.md", "SECURITY.md"];

/** Returns the paths of the documents of a repository or an unpacked package, from its root. */
export function documentPaths(root: string): string[] {
  const examples = readdirSync(join(root, "examples"));
  return [
    ...rootDocuments,
    ...readdirSync(join(root, "docs")).map((page) => `docs/${page}`),
    ...["templates", ...examples.map((example) => `examples/${example}`)].map(
      (folder) => `${folder}/README.md`,
    ),
  ].filter((path) => path.endsWith(".md") && existsSync(join(root, path)));
}

/** Returns the text of a document. */
export function readDocument(root: string, path: string): string {
  return readFileSync(join(root, path), "utf8");
}
