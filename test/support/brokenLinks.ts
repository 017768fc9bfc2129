import { existsSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { documentPaths, readDocument } from "./documents.js";
import { headingAnchors, linkTargets } from "./markdown.js";

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
