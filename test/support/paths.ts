import { join } from "node:path";

/** The folder of this repository. */
export const repository = join(__dirname, "../../..");

/** Returns the path of a compiled file, given the path of its source. */
export function compiled(source: string): string {
  return join(repository, "dist", source.replace(/\.ts$/, ".js"));
}
