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

export function isPulumiProject(folder: string): boolean {
  return ["yaml", "yml", "json"].some((type) => existsSync(join(folder, `Pulumi.${type}`)));
}
