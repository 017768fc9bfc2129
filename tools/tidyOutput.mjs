/*
 * Deletes compiled files that must not be there, as the last step of each build:
 *
 * - those whose source file no longer exists, which the tests would run and the package would contain
 * - declarations that no user sees, because no entry of the package leads to them
 */
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { dirname, join } from "node:path";

const root = fileURLToPath(new URL("..", import.meta.url));
const output = join(root, "dist");
const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

const seen = new Set();

function see(file) {
  if (seen.has(file)) return;
  seen.add(file);
  const imports = readFileSync(file, "utf8").matchAll(/(?:from|import) ?\(?"(\..+?)\.js"/g);
  for (const [, path] of imports) see(join(dirname(file), `${path}.d.ts`));
}

for (const { types } of Object.values(exports)) {
  if (types !== undefined) see(join(root, types));
}
for (const name of readdirSync(output, { recursive: true })) {
  const source = name.replace(/(\.d\.ts|\.js)$/, ".ts");
  const isGenerated = source === name || name === join("provider", "wire", "validators.js");
  const isStale = !isGenerated && !existsSync(join(root, source));
  const isInPackage = /^(audit|command|provider|sandbox|sdk)\b/.test(name);
  const isUnseen = isInPackage && name.endsWith(".d.ts") && !seen.has(join(output, name));
  if (isStale || isUnseen) rmSync(join(output, name));
}
