import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** Returns the folder of the Pulumi project that `pulumi` finds from a folder, or the folder itself. */
export function projectFolder(folder: string): string {
  let candidate = resolve(folder);
  while (!isPulumiProject(candidate)) {
    if (candidate === dirname(candidate)) return folder;
    candidate = dirname(candidate);
  }
  return candidate;
}

/** Whether a folder is in a Pulumi project, so that `pulumi` finds it from there. */
export function isInPulumiProject(folder: string): boolean {
  return isPulumiProject(projectFolder(folder));
}

function isPulumiProject(folder: string): boolean {
  return ["yaml", "yml", "json"].some((type) => existsSync(join(folder, `Pulumi.${type}`)));
}
