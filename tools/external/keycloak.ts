import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { cachedFolder, type Report } from "../cachedFolder.js";
import { freePort } from "../freePort.js";

const run = promisify(execFile);

const maxStartMs = 180_000;

/** The settings of `kc.sh build`. A start with other settings would build again. */
const environment: NodeJS.ProcessEnv = {
  ...process.env,
  // For runs of a minute: without the optimizing compiler, and with the simplest garbage collector.
  JAVA_OPTS: "-Xmx512m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
  KC_DB: "dev-mem",
  KC_CACHE: "local",
  KC_HTTP_RELATIVE_PATH: "/auth",
};

/**
 * Runs Keycloak in its own process group, and kills that group when its own standard input ends.
 * The standard input ends whenever the process at its other end is gone, for whatever reason. So a
 * test run that is killed leaves no Java process behind. The script prints nothing itself: there may
 * be no reader left, and the failed write would end the script before it has cleaned up.
 */
const script = `
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

/** A Keycloak on 127.0.0.1 that keeps all data in memory. */
export interface Keycloak {
  /** The URL before the path `/auth`. */
  readonly url: string;
  readonly admin: { readonly username: string; readonly password: string };
  /** Ends its processes and deletes its files. */
  stop(): Promise<unknown>;
}

/**
 * Starts a Keycloak. Downloads it with Maven the first time.
 *
 * @param realm a RealmRepresentation, the format in which Keycloak exports realms.
 */
export async function startKeycloak(
  version: string,
  realm: { readonly realm: string },
  report: Report,
): Promise<Keycloak> {
  const distribution = await findKeycloak(version, report);
  // A copy, because Keycloak reads the realm from its own folder and writes into it.
  const home = await mkdtemp(join(tmpdir(), "keycloak-"));
  await cp(distribution, home, { recursive: true });
  await mkdir(join(home, "data/import"), { recursive: true });
  await writeFile(join(home, "data/import/realm.json"), JSON.stringify(realm));

  const port = await freePort();
  const admin = { username: "admin", password: randomBytes(16).toString("hex") };
  const options = ["--http-enabled=true", "--http-host=127.0.0.1", `--http-port=${port}`];
  const args = ["start", "--optimized", "--import-realm", "--hostname-strict=false", ...options];
  const child = spawn("bash", ["-c", script, "keycloak", home, ...args], {
    detached: true, // Ctrl-C must reach only the test run, which then ends the script
    env: {
      ...environment,
      KC_BOOTSTRAP_ADMIN_USERNAME: admin.username,
      KC_BOOTSTRAP_ADMIN_PASSWORD: admin.password,
    },
  });
  let log = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => (log = (log + text).slice(-8_000)));
  }
  const ended = once(child, "exit");
  const stop = () => {
    child.stdin.end();
    return ended;
  };

  const url = `http://127.0.0.1:${port}`;
  const startMs = performance.now();
  while (!(await isReady(`${url}/auth/realms/${realm.realm}`))) {
    if (child.exitCode !== null || performance.now() - startMs > maxStartMs) {
      await stop();
      throw new Error(`Keycloak did not start. The end of its log:\n${log}`);
    }
    await sleep(200);
  }
  return { url, admin, stop };
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(10_000) })).ok;
  } catch {
    return false; // the port is not open yet, or Keycloak does not respond yet
  }
}

/** Returns the folder of a Keycloak that is built for our settings. Otherwise each start would build it. */
function findKeycloak(version: string, report: Report): Promise<string> {
  return cachedFolder(`keycloak-${version}-built`, async (temporary) => {
    report(`Downloading Keycloak ${version} with Maven and building it, once (about 1 min)`);
    const artifact = `org.keycloak:keycloak-quarkus-dist:${version}:zip`;
    // Maven also unpacks it, so no other program is needed for that.
    const unpack = ["dependency:unpack", `-Dartifact=${artifact}`, "-DoutputDirectory=."];
    const home = join(temporary, `keycloak-${version}`);
    try {
      await run("mvn", ["--quiet", "--batch-mode", ...unpack], { cwd: temporary });
      await run("bash", [join(home, "bin/kc.sh"), "build"], { env: environment });
    } catch (error) {
      // Maven and Keycloak print their errors on stdout.
      const { message, stdout = "" } = error as Error & { stdout?: string };
      throw new Error(`Keycloak needs Java 17 and Maven. ${message}\n${stdout}`, { cause: error });
    }
    return home;
  });
}
