import { homedir } from "node:os";
import { join } from "node:path";

/** Where what takes long to get is kept from one run to the next. */
export const cacheDirectory = join(
  process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"),
  "pulumi-project-service",
);
