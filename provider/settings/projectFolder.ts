import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** Returns the folder of the Pulumi project that `pulumi` finds from a folder, if there is one. */
export function projectFolder(folder: string): string | undefined {
  for (let candidate = resolve(folder); ; candidate = dirname(candidate)) {
    const files = ["yaml", "yml", "json"].map((type) => join(candidate, `Pulumi.${type}`));
    if (files.some((file) => existsSync(file))) return candidate;
    if (candidate === dirname(candidate)) return undefined;
  }
}
