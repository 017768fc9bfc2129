import { execFile, type ExecFileOptions } from "node:child_process";
import { randomBytes } from "node:crypto";
import { cp, mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "../freePort.js";
import { cachedFolder, type Report } from "./cachedFolder.js";
import { keycloakEnvironment, spawnKeycloak } from "./keycloakProcess.js";

const run = promisify(execFile);

const javaVersionNeeded = 17;

/** A Keycloak on 127.0.0.1 that keeps all data in memory. It has the realm `master` and one more. */
export interface Keycloak {
  readonly version: string;
  /** The URL before the path `/auth`. */
  readonly url: string;
  readonly realm: string;
  readonly admin: { readonly username: string; readonly password: string };
  /** Ends its processes and deletes its files. */
  stop(): Promise<void>;
}

/** Throws an Error that says which requirement for Keycloak this machine does not meet. */
export async function checkKeycloakRequirements(): Promise<void> {
  if (process.platform === "win32") {
    throw new Error("Keycloak's start script needs bash, which Windows does not have.");
  }
  const version = await javaVersion();
  const needed = `Keycloak needs Java ${javaVersionNeeded} or newer`;
  if (version === undefined) throw new Error(`${needed}, which was not found.`);
  if (version < javaVersionNeeded) throw new Error(`${needed}. This machine has Java ${version}.`);
  try {
    await run("mvn", ["-version"]);
  } catch {
    throw new Error("Downloading Keycloak needs Maven (mvn), which was not found.");
  }
}

/** Returns the version of the Java that Keycloak's start script would use. */
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
 * Starts a Keycloak with a realm. Downloads Keycloak with Maven the first time.
 *
 * @param version for example `26.4.5`.
 * @param realm a RealmRepresentation, the format in which Keycloak exports realms.
 * @param report receives the name and the usual duration of each long step, then how long it took.
 */
export async function startKeycloak(
  version: string,
  realm: { readonly realm: string },
  report: Report,
): Promise<Keycloak> {
  const distribution = await prepare(version, report);
  // A copy, because Keycloak reads the realm from its own folder and writes into it.
  const home = await mkdtemp(join(tmpdir(), "keycloak-"));
  await cp(distribution, home, { recursive: true });
  await mkdir(join(home, "data/import"), { recursive: true });
  await writeFile(join(home, "data/import/realm.json"), JSON.stringify(realm));

  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const admin = { username: "admin", password: randomBytes(16).toString("hex") };
  const keycloak = spawnKeycloak(home, port, admin);
  try {
    await timed(report, `Starting Keycloak ${version} (about 15 s)`, () =>
      keycloak.waitUntilReady(`${url}/auth/realms/${realm.realm}/.well-known/openid-configuration`),
    );
  } catch (error) {
    await keycloak.stop();
    throw error;
  }
  return { version, url, realm: realm.realm, admin, stop: () => keycloak.stop() };
}

/** Returns the folder of a Keycloak that is built for our settings. Otherwise each start would build it. */
function prepare(version: string, report: Report): Promise<string> {
  return cachedFolder(`keycloak-${version}-built`, async (temporary) => {
    const artifact = `org.keycloak:keycloak-quarkus-dist:${version}:zip`;
    await timed(report, `Downloading Keycloak ${version} with Maven, once (about 30 s)`, () =>
      // Maven also unpacks it, so no other program is needed for that.
      runTool(
        "mvn",
        [
          ...["--quiet", "--batch-mode", "dependency:unpack"],
          ...[`-Dartifact=${artifact}`, "-DoutputDirectory=."],
        ],
        { cwd: temporary },
      ),
    );
    const home = join(temporary, `keycloak-${version}`);
    await timed(report, `Building Keycloak ${version}, once (about 10 s)`, () =>
      runTool("bash", [join(home, "bin/kc.sh"), "build"], { env: keycloakEnvironment }),
    );
    return home;
  });
}

async function runTool(command: string, args: string[], options: ExecFileOptions): Promise<void> {
  try {
    await run(command, args, options);
  } catch (error) {
    // Maven and Keycloak print their errors on stdout.
    const { message, stdout = "" } = error as Error & { stdout?: string };
    throw new Error(`${message}\n${stdout}`.trim(), { cause: error });
  }
}

async function timed<T>(report: Report, step: string, action: () => Promise<T>): Promise<T> {
  report(step);
  const startMs = performance.now();
  const result = await action();
  report(`  took ${((performance.now() - startMs) / 1000).toFixed(1)} s`);
  return result;
}
