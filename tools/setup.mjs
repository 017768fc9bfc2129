/*
 * Makes a fresh clone ready: installs the packages and builds. Needs nothing but Node, hence plain
 * JavaScript; `npm run` calls it first wherever it is needed. Quick when there is nothing to do.
 */
import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const installed = `${root}node_modules/.package-lock.json`;
const builtValidators = `${root}dist/provider/validators.js`;

if (!existsSync(installed) || isOlder(installed, `${root}package-lock.json`)) {
  run("Installing the packages (about 30 s)", "npm", [
    "ci",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
  ]);
}
run(existsSync(builtValidators) ? undefined : "Building (about 15 s)", "npm", [
  "run",
  "--silent",
  "build",
]);

function isOlder(file, than) {
  return statSync(file).mtimeMs < statSync(than).mtimeMs;
}

function run(title, command, args) {
  if (title !== undefined) console.error(`• ${title}`);
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: ["ignore", process.stderr, "inherit"],
    shell: process.platform === "win32",
  });
  if (error !== undefined) throw error;
  if (status !== 0) process.exit(status ?? 1);
}
