import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The compiled modules of `page/`, each after the ones that it imports. */
const modules = [
  "displayText",
  "elements",
  "filters",
  "search",
  "projectRows",
  "findingsList",
  "pagedSection",
  "page",
];

/**
 * Returns the script of the page. It shows the matching projects and findings, one page of rows at a
 * time.
 *
 * The script of a single file can import nothing. So the modules become one, without their imports and
 * exports.
 */
export function pageScript(): string {
  return modules
    .map((name) => readFileSync(join(__dirname, "page", `${name}.js`), "utf8"))
    .map((code) => code.replace(/^import [^;]*;\n/gm, "").replace(/^export (\{\};\n)?/gm, ""))
    .join("");
}
