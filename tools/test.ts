/*
 * `npm test`: the units on each supported Node, the engine tests with the oldest and the newest
 * supported @pulumi/pulumi. Ends with a line that counts.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

interface Counts {
  passes: number;
  failures: number;
  pending: number;
}

const mocha = require.resolve("mocha/bin/mocha.js");
const root = join(__dirname, "../..");
const scratch = mkdtempSync(join(tmpdir(), "project-service-test-"));
const total: Counts = { passes: 0, failures: 0, pending: 0 };

/**
 * Engine tests in which the version of @pulumi/pulumi makes no difference: of files that other tools
 * read, of Keycloak, and of what runs in a clone, with the version of this repository.
 */
const ofOneSdk = [
  "auditPage",
  "auditSarif",
  "demo",
  "exampleCiFiles",
  "exampleFleetFiles",
  "examplesInClone",
  "keycloak",
];

/** Runs mocha, shows what it prints, and adds up what it counted. */
async function suite(title: string, command: string[], environment = {}): Promise<void> {
  console.log(`\n=== ${title}\n`);
  const report = join(scratch, "report.json");
  rmSync(report, { force: true });
  const [program, ...args] = command as [string, ...string[]];
  const reporters = ["--reporter", join(__dirname, "countingReporter.js")];
  const child = spawn(program, [...args, ...reporters], {
    cwd: root,
    env: { ...process.env, ...environment, TEST_REPORT: report },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  const counts = readCounts(report);
  total.passes += counts.passes;
  total.pending += counts.pending;
  // A suite that could not even count has failed.
  total.failures += counts.failures > 0 || code === 0 ? counts.failures : 1;
}

function readCounts(report: string): Counts {
  try {
    return JSON.parse(readFileSync(report, "utf8")) as Counts;
  } catch {
    return { passes: 0, failures: 1, pending: 0 };
  }
}

async function main(): Promise<void> {
  for (const version of ["20", "22", "24"]) {
    const isThisOne = process.versions.node.startsWith(`${version}.`);
    const node = isThisOne ? [process.execPath] : ["npx", "--yes", "-p", `node@${version}`, "node"];
    await suite(`Units on Node ${version}`, [...node, mocha]);
  }
  for (const sdk of ["newest", "floor"]) {
    const command = [process.execPath, mocha, "--config", ".mocharc.engine.json"];
    for (const name of sdk === "floor" ? ofOneSdk : []) {
      command.push("--ignore", `dist/test/engine/${name}.test.js`);
    }
    await suite(`The engine, with the ${sdk} @pulumi/pulumi`, command, { PULUMI_SDK: sdk });
  }
  rmSync(scratch, { recursive: true, force: true });
  const { passes, failures, pending } = total;
  console.log(`\n${passes} passed, ${failures} failed${pending > 0 ? `, ${pending} skipped` : ""}`);
  process.exitCode = failures > 0 || passes === 0 ? 1 : 0;
}

void main();
