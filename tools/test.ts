/*
 * `npm test`: runs the linters and all tests, and prints at the end what failed, and the total in the last line. A
 * test that needs a tool which this machine lacks is skipped with a line. With the environment variable CI nothing is
 * skipped.
 *
 * The folder of a test file tells where the file runs:
 *
 * - test/engine/bothSdks/: on the real Pulumi engine, with the newest @pulumi/pulumi, and some also with the oldest.
 *   These are the tests of what the SDK does with our resources, Outputs and errors.
 * - test/engine/, test/clone/, test/external/: in the same run with the newest one, once. They need the engine,
 *   the packed package, Keycloak or a browser.
 * - the other folders: unit tests, on this Node.
 *
 * The workflow for GitHub also runs the unit tests on each Node that is supported, and all tests of bothSdks with the
 * oldest SDK, in jobs beside this one.
 *
 * The engine tests with the newest SDK run beside all others. Each suite runs its files in parallel processes:
 * see .mocharc.json and .mocharc.engine.json.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import type { SuiteReport } from "./countingReporter.js";

const thisNode = process.versions.node.split(".")[0] as string;
/** The newest @pulumi/pulumi asks for Node 22 or newer. */
const nodeOfNewestSdk = Number(thisNode) < 22 ? "24" : thisNode;

/** The slow ones first. */
const unitTests = [
  "dist/test/integration/{outages,faultMatrix,signIns}*.test.js",
  "dist/test/integration/!(outages|faultMatrix|signIns)*.test.js",
  "dist/test/!(integration|clone|engine|external)/**/*.test.js",
];
/** The files that take longest start first. One that starts last would run alone at the end. */
const engineTests = [
  "dist/test/{external,clone,engine,engine/bothSdks}/{keycloak,documents,hosts,keptRecords,policyPack,snapshot,example}*.test.js",
  "dist/test/{external,clone,engine,engine/bothSdks}/!(keycloak|documents|hosts|keptRecords|policyPack|snapshot|example)*.test.js",
];

/** The main job, a snapshot, and failing reads. */
const oldestSdkTests = ["dist/test/engine/bothSdks/{leaks,programs}*.test.js"];

const mocha = require.resolve("mocha/bin/mocha.js");
const root = join(__dirname, "../..");
/** The tests use it for their temporary files too. */
const scratch = mkdtempSync(join(tmpdir(), "project-service-test-"));
const total = { passes: 0, pending: 0 };
const failed: string[] = [];

/** Runs mocha on a Node, and adds its counts to the total. */
async function runSuite(
  title: string,
  version: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<void> {
  const folder = findNode(version);
  if (folder === undefined) {
    console.log(`skipped: ${title}, because npx cannot download that Node`);
    total.pending++;
    if (process.env["CI"] !== undefined) failed.push(title);
    return;
  }
  const report = join(scratch, `${title.replace(/\W+/g, "-")}.json`);
  const options = ["--reporter", join(__dirname, "countingReporter.js")];
  if (process.env["CI"] !== undefined) options.push("--forbid-pending");
  const code = await runProgram(title, "node", [mocha, ...args, ...options], {
    ...environment,
    PATH: [folder, process.env["PATH"]].join(delimiter),
    TEST_REPORT: report,
    TMPDIR: scratch,
    // From Node 22 on: the many processes of a suite compile the same packages once.
    NODE_COMPILE_CACHE: join(scratch, "compiled"),
  });
  const { stats, failed: tests } = readReport(report);
  total.passes += stats.passes;
  total.pending += stats.pending;
  failed.push(...tests.map((test) => `${title}: ${test}`));
  // A suite that ended with an error but counted no failure has failed too.
  if (code !== 0 && tests.length === 0) failed.push(title);
}

/** Runs a command, and shows its output when it has ended. Returns its exit code. */
async function runProgram(
  title: string,
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<number | null> {
  console.log(`${title} …`);
  const startMs = performance.now();
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text) => (output += text));
  const [code] = (await once(child, "close")) as [number | null];
  const seconds = Math.round((performance.now() - startMs) / 1000);
  console.log(`\n=== ${title}: ${seconds} s\n${output}`);
  return code;
}

/** Returns the folder with the program of a Node, which npx downloads unless it is this one. */
function findNode(version: string): string | undefined {
  if (version === thisNode) return dirname(process.execPath);
  const command = ["--yes", "-p", `node@${version}`, "-c", "command -v node"];
  const { status, stdout } = spawnSync("npx", command, { encoding: "utf8" });
  return status === 0 ? dirname(stdout.trim()) : undefined;
}

/** Without a file, the suite ended before its tests did. */
function readReport(file: string): SuiteReport {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as SuiteReport;
  } catch {
    return { stats: { passes: 0, pending: 0 }, failed: ["no report"] };
  }
}

async function runLinters(): Promise<void> {
  const code = await runProgram("Linters", "npm", ["run", "--silent", "lint:built"]);
  if (code === 0) total.passes++;
  else failed.push("Linters");
}

/** Fewer processes than alone, because the engine tests with the newest SDK run at the same time. */
const jobs = ["--jobs", "3"];

function runUnits(): Promise<void> {
  return runSuite(`Unit tests on Node ${thisNode}`, thisNode, [...jobs, ...unitTests]);
}

function runEngine(
  sdk: "newest" | "floor",
  version: string,
  args: readonly string[],
): Promise<void> {
  const title = `Engine tests with the ${sdk} @pulumi/pulumi on Node ${version}`;
  return runSuite(title, version, ["--config", ".mocharc.engine.json", ...args], {
    PULUMI_SDK: sdk,
  });
}

async function main(): Promise<void> {
  process.on("exit", () => rmSync(scratch, { recursive: true, force: true, maxRetries: 3 }));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1));
  await Promise.all([
    runEngine("newest", nodeOfNewestSdk, engineTests),
    runLinters()
      .then(runUnits)
      .then(() => runEngine("floor", thisNode, oldestSdkTests)),
  ]);
  if (failed.length > 0) console.log(`\n=== Failed\n${failed.join("\n")}`);
  const { passes, pending } = total;
  const skipped = pending > 0 ? `, ${pending} skipped` : "";
  console.log(`\n${passes} passed, ${failed.length} failed${skipped}`);
  process.exitCode = failed.length > 0 || passes === 0 ? 1 : 0;
}

void main();
