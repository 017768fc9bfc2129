/*
 * Deletes compiled files whose source file no longer exists. Otherwise the tests would still run
 * them, and the package would still contain them. Runs before each build, so it is plain JavaScript.
 */
import { existsSync, readdirSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { join, relative } from "node:path";

const root = fileURLToPath(new URL("..", import.meta.url));
const output = join(root, "dist");

/** Files that the build generates, so they have no source file. */
const generated = new Set(["provider/wire/validators.js"]);

const entries = existsSync(output)
  ? readdirSync(output, { recursive: true, withFileTypes: true })
  : [];
for (const entry of entries) {
  const file = relative(output, join(entry.parentPath, entry.name));
  const source = file.replace(/(\.d\.ts|\.js)$/, ".ts");
  const isCompiled = entry.isFile() && source !== file && !generated.has(file);
  if (isCompiled && !existsSync(join(root, source))) rmSync(join(output, file));
}
