import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { headingAnchors, linkTargets } from "./markdown.js";

const rootDocuments = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "DESIGN.md", "SECURITY.md"];

/** Returns the paths of the documents of a repository or an unpacked package, from its root. */
export function documentPaths(root: string): string[] {
  const examples = readdirSync(join(root, "examples"));
  return [
    ...rootDocuments,
    ...readdirSync(join(root, "docs")).map((page) => `docs/${page}`),
    "skills/pulumi-project-service/SKILL.md",
    "examples/README.md",
    ...examples.map((example) => `examples/${example}/README.md`),
  ].filter((path) => path.endsWith(".md") && existsSync(join(root, path)));
}

/** Returns the text of a document. */
export function readDocument(root: string, path: string): string {
  return readFileSync(join(root, path), "utf8");
}

/**
 * Follows every link in the documents of a repository or an unpacked package.
 *
 * @returns the links that lead nowhere: to no file, to no heading, or out of the folder.
 */
export function brokenLinks(root: string): string[] {
  return documentPaths(root).flatMap((path) =>
    linkTargets(readDocument(root, path))
      .filter((target) => !leadsSomewhere(root, path, target))
      .map((target) => `${path}: ${target}`),
  );
}

function leadsSomewhere(root: string, path: string, target: string): boolean {
  if (/^https:\/\//.test(target)) return URL.canParse(target);
  const [file = "", anchor] = target.split("#");
  const linked = file === "" ? path : relative(root, join(root, dirname(path), file));
  if (linked.startsWith("..") || !existsSync(join(root, linked))) return false;
  if (anchor === undefined) return true;
  const isFile = statSync(join(root, linked)).isFile();
  return isFile && headingAnchors(readDocument(root, linked)).includes(anchor);
}
