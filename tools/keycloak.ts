import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { cacheDirectory } from "./cacheDirectory.js";

const run = promisify(execFile);

const javaVersionNeeded = 17;
const startLastsAtMostMs = 180_000;

/** A Keycloak on loopback, all in memory, with one realm besides its own. */
export interface Keycloak {
  readonly version: string;
  /** Without the `/auth` below which everything is. */
  readonly url: string;
  readonly realm: string;
  readonly admin: { readonly username: string; readonly password: string };
  /** Ends it and all that it started, and removes its files. */
  stop(): Promise<void>;
}

/** Tells of a long step: what is done and how long it usually takes, then how long it took. */
export type Report = (step: string) => void;

/** What is missing to run Keycloak here; undefined if nothing is. */
export async function whyNoKeycloak(): Promise<string | undefined> {
  if (process.platform === "win32") return "Keycloak is run by a shell script, which needs bash";
  const version = await javaVersion();
  if (version === undefined) return `Keycloak needs Java ${javaVersionNeeded}, and there is none`;
  if (version < javaVersionNeeded) {
    return `Keycloak needs Java ${javaVersionNeeded} or newer, and this is Java ${version}`;
  }
  try {
    await run("mvn", ["-version"]);
  } catch {
    return "Keycloak is got with Maven (mvn), and there is none";
  }
  return undefined;
}

/** Of the Java that Keycloak's script would take. */
async function javaVersion(): Promise<number | undefined> {
  const home = process.env["JAVA_HOME"];
  try {
    const { stderr } = await run(home ? join(home, "bin/java") : "java", ["-version"]);
    return Number(/version "(\d+)/.exec(stderr)?.[1] ?? 0);
  } catch {
    return undefined;
  }
}

/**
 * Starts a Keycloak with a realm; gets it first, with Maven, if it was not got before.
 *
 * @param version for example `26.4.5`.
 * @param realm as Keycloak exports it: a RealmRepresentation.
 */
export async function startKeycloak(
  version: string,
  realm: { readonly realm: string },
  report: Report,
): Promise<Keycloak> {
  const distribution = await getKeycloak(version, report);
  const home = await mkdtemp(join(tmpdir(), "keycloak-"));
  // A copy: at its first start Keycloak writes what it was configured with into its own folder.
  await cp(distribution, home, { recursive: true });
  await mkdir(join(home, "data/import"), { recursive: true });
  await writeFile(join(home, "data/import/realm.json"), JSON.stringify(realm));

  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const admin = { username: "admin", password: randomBytes(16).toString("hex") };
  const server = spawnServer(home, port, admin);
  try {
    await timed(report, `Starting Keycloak ${version} (about 20 s)`, () =>
      untilItAnswers(`${url}/auth/realms/${realm.realm}/.well-known/openid-configuration`, server),
    );
  } catch (error) {
    await server.stop();
    throw error;
  }
  return { version, url, realm: realm.realm, admin, stop: () => server.stop() };
}

async function getKeycloak(version: string, report: Report): Promise<string> {
  const name = `keycloak-${version}`;
  const distribution = join(cacheDirectory, name);
  if (existsSync(distribution)) return distribution;
  await mkdir(cacheDirectory, { recursive: true });
  const unfinished = await mkdtemp(join(cacheDirectory, "getting-"));
  try {
    const artifact = `org.keycloak:keycloak-quarkus-dist:${version}:zip`;
    await timed(report, `Getting Keycloak ${version} with Maven, once (about 30 s)`, () =>
      // Maven unpacks it as well: no need for a program that can.
      maven(unfinished, "dependency:unpack", `-Dartifact=${artifact}`, "-DoutputDirectory=."),
    );
    if (!existsSync(distribution)) await rename(join(unfinished, name), distribution);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return distribution;
}

async function maven(cwd: string, ...args: string[]): Promise<void> {
  try {
    await run("mvn", ["--quiet", "--batch-mode", ...args], { cwd });
  } catch (error) {
    // What went wrong, Maven says on stdout.
    const { message, stdout = "" } = error as Error & { stdout?: string };
    throw new Error(`${message}\n${stdout}`.trim(), { cause: error });
  }
}

async function timed<T>(report: Report, step: string, action: () => Promise<T>): Promise<T> {
  report(step);
  const start = performance.now();
  const result = await action();
  report(`  took ${((performance.now() - start) / 1000).toFixed(1)} s`);
  return result;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/**
 * Runs Keycloak in a process group of its own, and kills that group when its own standard input
 * ends. That it does whenever the process that holds the other end is gone, however it went: a
 * test run that is killed leaves no Java behind. It says nothing itself: there may be nobody left
 * to read it, and it would die of that before it has cleaned up.
 */
const keeper = `
set -m
exec 3<&0
home=$1; shift
bash "$home/bin/kc.sh" "$@" </dev/null 3<&- &
keycloak=$!
exec >/dev/null 2>&1
{ cat; kill -KILL -- "-$keycloak"; } <&3 &
wait "$keycloak"
rm -rf "$home"
`;

interface Server {
  readonly hasEnded: boolean;
  /** The last that it printed. */
  readonly log: string;
  stop(): Promise<void>;
}

function spawnServer(home: string, port: number, admin: Keycloak["admin"]): Server {
  const child = spawn(
    "bash",
    [
      ...["-c", keeper, "keeper", home, "start-dev", "--db=dev-mem", "--import-realm"],
      ...["--http-host=127.0.0.1", `--http-port=${port}`, "--http-relative-path=/auth"],
    ],
    {
      detached: true, // Ctrl-C is for the test run; it ends the keeper in its own way
      stdio: ["pipe", "pipe", "pipe"],
      env: {
        ...process.env,
        JAVA_OPTS_APPEND: "-Xmx512m -XX:TieredStopAtLevel=1",
        KC_BOOTSTRAP_ADMIN_USERNAME: admin.username,
        KC_BOOTSTRAP_ADMIN_PASSWORD: admin.password,
        // Their names before Keycloak 26.
        KEYCLOAK_ADMIN: admin.username,
        KEYCLOAK_ADMIN_PASSWORD: admin.password,
      },
    },
  );
  let log = "";
  const note = (text: string) => (log = (log + text).slice(-8_000));
  child.stdout.setEncoding("utf8").on("data", note);
  child.stderr.setEncoding("utf8").on("data", note);
  let hasEnded = false;
  const end = new Promise<void>((resolve) => {
    const ended = (reason: string) => {
      note(reason);
      hasEnded = true;
      child.stdin.destroy();
      resolve();
    };
    child.on("error", (error) => ended(error.message));
    child.on("exit", (code) => ended(`ended with exit code ${code}`));
  });
  return {
    get hasEnded() {
      return hasEnded;
    },
    get log() {
      return log;
    },
    stop: () => {
      child.stdin.end();
      return end;
    },
  };
}

async function untilItAnswers(url: string, server: Server): Promise<void> {
  const deadline = performance.now() + startLastsAtMostMs;
  while (!(await answers(url))) {
    if (server.hasEnded || performance.now() > deadline) {
      throw new Error(`Keycloak did not start. The last that it printed:\n${server.log}`);
    }
    await sleep(200);
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(10_000) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false; // not yet: nothing listens, or it is not ready
  }
}
