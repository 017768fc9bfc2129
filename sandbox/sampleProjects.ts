import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { SandboxProject } from "./project.js";

const file = join(__dirname, "../../sandbox/sampleProjects.json");

/**
 * Returns twelve projects with invented credentials. All calls return the same values, each call in a
 * new copy. The package has them as a file, `sandbox/sampleProjects.json`.
 */
export function sampleProjects(): SandboxProject[] {
  return JSON.parse(readFileSync(file, "utf8")) as SandboxProject[];
}
