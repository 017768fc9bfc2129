/*
 * Runs the tests and prints the total in the last line.
 *
 * - `npm test`: the unit tests on this Node, and the engine tests with the newest @pulumi/pulumi.
 * - `npm run test:all`, or `npm test` with the environment variable CI: all tests, also on the other
 *   supported Nodes, with the oldest supported @pulumi/pulumi, and with other people's tools.
 *
 * The folder of a test file tells where the file runs:
 *
 * - test/engine/: on the real Pulumi engine, with the newest and with the oldest @pulumi/pulumi.
 * - test/clone/: once, because a clone of this repository always has the newest @pulumi/pulumi.
 * - test/external/: once, because other people's tools do not depend on the version of @pulumi/pulumi.
 * - the other folders: unit tests. All of them run on every Node, because any could find a difference.
 *
 * Each suite runs its files in parallel processes: see .mocharc.json and .mocharc.engine.json.
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

const supportedNodes = ["20", "22", "24"];
const runsEverything = process.argv.includes("--all") || process.env["CI"] !== undefined;

/** Runs mocha, shows its output, and adds its counts to the total. */
async function runSuite(title: string, command: string[], environment = {}): Promise<void> {
  console.log(`\n=== ${title}\n`);
  const report = join(scratch, "report.json");
  rmSync(report, { force: true });
  const [program, ...args] = command as [string, ...string[]];
  const reporters = ["--reporter", join(__dirname, "countingReporter.js")];
  const startMs = performance.now();
  const child = spawn(program, [...args, ...reporters], {
    cwd: root,
    env: { ...process.env, ...environment, TEST_REPORT: report },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  const counts = readCounts(report);
  total.passes += counts.passes;
  total.pending += counts.pending;
  // A suite that ended with an error but counted no failure has failed too.
  total.failures += counts.failures > 0 || code === 0 ? counts.failures : 1;
  console.log(`${title}: ${Math.round((performance.now() - startMs) / 1000)} s`);
}

function readCounts(report: string): Counts {
  try {
    return JSON.parse(readFileSync(report, "utf8")) as Counts;
  } catch {
    return { passes: 0, failures: 1, pending: 0 };
  }
}

function runUnits(node: string[], version: string): Promise<void> {
  return runSuite(`Unit tests on Node ${version}`, [...node, mocha]);
}

function runEngine(sdk: "newest" | "floor", folders: string[]): Promise<void> {
  const files = folders.map((folder) => `dist/test/${folder}/**/*.test.js`);
  return runSuite(
    `Tests in ${folders.join(", ")} with the ${sdk} @pulumi/pulumi`,
    [process.execPath, mocha, "--config", ".mocharc.engine.json", ...files],
    { PULUMI_SDK: sdk },
  );
}

async function main(): Promise<void> {
  const thisNode = process.versions.node.split(".")[0] as string;
  await runUnits([process.execPath], thisNode);
  if (runsEverything) {
    for (const version of supportedNodes.filter((each) => each !== thisNode)) {
      await runUnits(["npx", "--yes", "-p", `node@${version}`, "node"], version);
    }
    // Keycloak comes first, because it waits most of the time.
    await runEngine("newest", ["external", "clone", "engine"]);
    await runEngine("floor", ["engine"]);
  } else {
    await runEngine("newest", ["clone", "engine"]);
  }
  rmSync(scratch, { recursive: true, force: true });
  const { passes, failures, pending } = total;
  console.log(`\n${passes} passed, ${failures} failed${pending > 0 ? `, ${pending} skipped` : ""}`);
  process.exitCode = failures > 0 || passes === 0 ? 1 : 0;
}

void main();
