/*
 * Prepares a fresh clone: installs the packages and builds. Needs nothing but Node, so it is plain
 * JavaScript. The npm scripts that need a build run it first. It is quick if there is nothing to do.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { countSeconds } from "./countSeconds.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const installedLock = `${root}node_modules/.package-lock.json`;
const lastBuiltFile = `${root}dist/provider/wire/validators.js`;

if (!existsSync(installedLock) || isOlder(installedLock, `${root}package-lock.json`)) {
  await run("Installing the packages (about 30 s)", "npm", [
    "ci",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
  ]);
}
linkPackage();
await run(existsSync(lastBuiltFile) ? undefined : "Building (about 15 s)", "npm", [
  "run",
  "--silent",
  "build",
]);

/**
 * Makes this package importable by its name from the folders that have their own package.json, such as
 * the examples, and lets npx find its commands there. npm removes the link whenever it installs
 * packages here.
 */
function linkPackage() {
  const link = `${root}node_modules/pulumi-project-service`;
  if (!existsSync(link)) symlinkSync("..", link, "junction");
  const { bin } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));
  for (const [command, file] of Object.entries(bin)) {
    const text = `#!/usr/bin/env node\nrequire("../../${file}");\n`;
    writeFileSync(`${root}node_modules/.bin/${command}`, text, { mode: 0o755 });
  }
}

function isOlder(file, other) {
  return statSync(file).mtimeMs < statSync(other).mtimeMs;
}

/** Runs a program. A terminal shows meanwhile for how many seconds. */
async function run(step, command, args) {
  const end = step === undefined ? () => {} : countSeconds(step);
  const child = spawn(command, args, {
    cwd: root,
    stdio: ["ignore", process.stderr, "inherit"],
    shell: process.platform === "win32",
  });
  const [status] = await once(child, "close");
  end();
  if (status !== 0) process.exit(status ?? 1);
}
