/*
 * Deletes what the compiler once wrote for a source file that is gone: tests would still run it, and
 * the package would still ship it. Runs before each build, hence plain JavaScript.
 */
import { existsSync, readdirSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { join, relative } from "node:path";

const root = fileURLToPath(new URL("..", import.meta.url));
const output = join(root, "dist");

/** Written by the build, from no source file of their own. */
const generated = new Set(["provider/validators.js"]);

const entries = existsSync(output)
  ? readdirSync(output, { recursive: true, withFileTypes: true })
  : [];
for (const entry of entries) {
  const file = relative(output, join(entry.parentPath, entry.name));
  const source = file.replace(/(\.d\.ts|\.js)$/, ".ts");
  const isOutput = entry.isFile() && source !== file && !generated.has(file);
  if (isOutput && !existsSync(join(root, source))) rmSync(join(output, file));
}
