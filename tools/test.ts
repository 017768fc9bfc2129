/*
 * Runs the tests and prints the total in the last line.
 *
 * - `npm test`: the unit tests on this Node, and the engine tests with the newest @pulumi/pulumi.
 * - `npm run test:all`, or `npm test` with the environment variable CI: all tests, also on the other
 *   supported Nodes, with the oldest supported @pulumi/pulumi, with other people's tools, and of the
 *   examples and documents in a clone.
 *
 * The folder of a test file tells where the file runs:
 *
 * - test/engine/bothSdks/: on the real Pulumi engine, with the newest and with the oldest @pulumi/pulumi.
 *   These are the tests of what the SDK does with our resources, Outputs and errors.
 * - test/engine/: on the real Pulumi engine, once. What these tests add does not depend on the SDK.
 * - test/clone/: once, because a clone of this repository always has the newest @pulumi/pulumi.
 * - test/external/: once, because other people's tools do not depend on the version of @pulumi/pulumi.
 * - test/docs/ and test/tools/: unit tests of what only this repository uses, on this Node.
 * - the other folders: unit tests. All of them run on every Node, because any could find a difference.
 *
 * The unit tests run beside the engine tests. Each suite runs its files in parallel processes: see
 * .mocharc.json and .mocharc.engine.json.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { freemem, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { PassThrough } from "node:stream";

interface Counts {
  passes: number;
  failures: number;
  pending: number;
}

const mocha = require.resolve("mocha/bin/mocha.js");
const root = join(__dirname, "../..");
const thisNode = process.versions.node.split(".")[0] as string;
/** The tests use it for their temporary files too. */
const scratch = mkdtempSync(join(fastFolder(), "project-service-test-"));
const total: Counts = { passes: 0, failures: 0, pending: 0 };

const supportedNodes = ["20", "22", "24"];
/** The newest @pulumi/pulumi asks for Node 22 or newer. */
const nodeOfNewestSdk = Number(thisNode) < 22 ? "24" : thisNode;
const runsEverything = process.argv.includes("--all") || process.env["CI"] !== undefined;

/** Settles when the suites that have started so far have shown their output. */
let shown = Promise.resolve();

/**
 * Runs mocha, shows its output, and adds its counts to the total. Suites that run at the same time
 * show their output one after another.
 */
async function runSuite(
  title: string,
  command: string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<void> {
  const report = join(scratch, `${title.replace(/\W+/g, "-")}.json`);
  const [program, ...args] = command as [string, ...string[]];
  args.push("--reporter", join(__dirname, "countingReporter.js"));
  if (process.stdout.isTTY) args.push("--color");
  const startMs = performance.now();
  const child = spawn(program, args, {
    cwd: root,
    env: {
      ...process.env,
      ...environment,
      TEST_REPORT: report,
      TMPDIR: scratch,
      // From Node 22 on: the many processes of a suite compile the same packages once.
      NODE_COMPILE_CACHE: join(scratch, "compiled"),
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const output = child.stdout.pipe(new PassThrough({ highWaterMark: 2 ** 30 }));
  const ended = once(child, "close").then(([code]: unknown[]) => {
    addCounts(readCounts(report), code === 0);
    return `${title}: ${Math.round((performance.now() - startMs) / 1000)} s`;
  });
  shown = shown.then(async () => {
    console.log(`\n=== ${title}\n`);
    for await (const chunk of output) process.stdout.write(chunk as Buffer);
    console.log(await ended);
  });
  await ended;
}

function addCounts({ passes, pending, failures }: Counts, succeeded: boolean): void {
  total.passes += passes;
  total.pending += pending;
  // A suite that ended with an error but counted no failure has failed too.
  total.failures += failures > 0 || succeeded ? failures : 1;
}

function readCounts(report: string): Counts {
  try {
    return JSON.parse(readFileSync(report, "utf8")) as Counts;
  } catch {
    return { passes: 0, failures: 1, pending: 0 };
  }
}

/** Returns the command of a Node. For another version than this one, its processes find it on PATH too. */
function nodeCommand(version: string): string[] {
  if (version === thisNode) return [process.execPath];
  // npx names its packages in this variable. npx in a test would look for these packages.
  const withoutPackage = ["env", "-u", "npm_config_package"];
  return ["npx", "--yes", "-p", `node@${version}`, ...withoutPackage, "node"];
}

function runUnits(version: string): Promise<void> {
  // Fewer processes than alone, because the engine tests run at the same time.
  const command = [...nodeCommand(version), mocha, "--jobs", "2"];
  const title = `Unit tests on Node ${version}`;
  if (version === thisNode) return runSuite(title, command);
  // Documents and tools belong to the repository. Random cases hardly depend on the Node.
  const ignored = ["docs", "tools"].flatMap((name) => ["--ignore", `dist/test/${name}/**`]);
  const randomCases = { FUZZ_RUNS: "100" };
  return runSuite(title, [...command, ...ignored], randomCases);
}

async function runAllUnits(): Promise<void> {
  await runUnits(thisNode);
  if (!runsEverything) return;
  for (const version of supportedNodes) if (version !== thisNode) await runUnits(version);
}

/** Whether a test file takes more than a minute. */
function isLong(file: string): boolean {
  return /^(documents|example(Fleet|Install|PipelineJobs)|keycloak|policyPack|projectsSnapshot|snapshot)/.test(
    basename(file),
  );
}

function runEngine(sdk: "newest" | "floor", version: string, folders: string[]): Promise<void> {
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, "dist/test", folder))
      .filter((name) => name.endsWith(".test.js"))
      .map((name) => join("dist/test", folder, name)),
  );
  // Mocha starts the files in this order. A long file that starts last would run alone at the end.
  const [long, short] = [files.filter(isLong), files.filter((file) => !isLong(file))];
  return runSuite(
    `Tests in ${folders.join(", ")} with the ${sdk} @pulumi/pulumi on Node ${version}`,
    [...nodeCommand(version), mocha, "--config", ".mocharc.engine.json", ...long, ...short],
    { PULUMI_SDK: sdk },
  );
}

async function runAllEngine(): Promise<void> {
  const folders = ["engine", "engine/bothSdks"];
  if (!runsEverything) return runEngine("newest", nodeOfNewestSdk, folders);
  await runEngine("newest", nodeOfNewestSdk, ["external", "clone", ...folders]);
  await runEngine("floor", thisNode, ["engine/bothSdks"]);
}

/**
 * Returns a folder in memory if there is one. The engine tests install the same packages more than
 * twenty times, and a disk takes minutes to write and delete them.
 */
function fastFolder(): string {
  const folder = "/dev/shm";
  const needed = 8 * 1024 ** 3;
  try {
    const { bavail, bsize } = statfsSync(folder);
    const mount = readFileSync("/proc/mounts", "utf8").match(/^\S+ \/dev\/shm \S+ (\S+)/m);
    const mayExecute = mount !== null && !mount[1]?.split(",").includes("noexec");
    if (mayExecute && bavail * bsize > needed && freemem() > needed) return folder;
  } catch {
    // This system has no such folder.
  }
  return tmpdir();
}

async function main(): Promise<void> {
  process.on("exit", () => rmSync(scratch, { recursive: true, force: true, maxRetries: 3 }));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1));
  // Together: unit tests wait now and then, and the engine tests first read much from the disk.
  await Promise.all([runAllUnits(), runAllEngine()]);
  await shown;
  const { passes, failures, pending } = total;
  console.log(`\n${passes} passed, ${failures} failed${pending > 0 ? `, ${pending} skipped` : ""}`);
  process.exitCode = failures > 0 || passes === 0 ? 1 : 0;
}

void main();
