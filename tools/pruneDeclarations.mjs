/*
 * Deletes the compiled declarations that no user sees: those that no entry of the package leads to. Runs after the
 * compiler, so it is plain JavaScript.
 */
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { dirname, join } from "node:path";

const root = fileURLToPath(new URL("..", import.meta.url));
const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

const seen = new Set();

function see(file) {
  if (seen.has(file)) return;
  seen.add(file);
  for (const [, path] of readFileSync(file, "utf8").matchAll(
    /(?:from|import) ?\(?"(\..+?)\.js"/g,
  )) {
    see(join(dirname(file), `${path}.d.ts`));
  }
}

for (const { types } of Object.values(exports)) {
  if (types !== undefined) see(join(root, types));
}
for (const folder of ["sdk", "provider", "audit", "command", "sandbox"]) {
  for (const name of readdirSync(join(root, "dist", folder), { recursive: true })) {
    const file = join(root, "dist", folder, name);
    if (name.endsWith(".d.ts") && !seen.has(file)) rmSync(file);
  }
}
