import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

const maxStartMs = 180_000;

/** The settings of `kc.sh build`. A start with other settings would build again. */
export const keycloakEnvironment: NodeJS.ProcessEnv = {
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

/**
 * Starts Keycloak with a database in memory. It imports the realms in `data/import`.
 *
 * @param home folder of the distribution. It is deleted at the end.
 */
export function spawnKeycloak(
  home: string,
  port: number,
  admin: { readonly username: string; readonly password: string },
) {
  const child = spawn(
    "bash",
    [
      ...["-c", script, "keycloak", home, "start", "--optimized", "--import-realm"],
      ...["--http-enabled=true", "--http-host=127.0.0.1", `--http-port=${port}`],
      "--hostname-strict=false",
    ],
    {
      detached: true, // Ctrl-C must reach only the test run, which then ends the script
      stdio: ["pipe", "pipe", "pipe"],
      env: {
        ...keycloakEnvironment,
        KC_BOOTSTRAP_ADMIN_USERNAME: admin.username,
        KC_BOOTSTRAP_ADMIN_PASSWORD: admin.password,
        // The names of these variables before Keycloak 26.
        KEYCLOAK_ADMIN: admin.username,
        KEYCLOAK_ADMIN_PASSWORD: admin.password,
      },
    },
  );
  let log = "";
  const appendToLog = (text: string) => (log = (log + text).slice(-8_000));
  child.stdout.setEncoding("utf8").on("data", appendToLog);
  child.stderr.setEncoding("utf8").on("data", appendToLog);
  let hasEnded = false;
  const ended = new Promise<void>((resolve) => {
    const onEnd = (reason: string) => {
      appendToLog(reason);
      hasEnded = true;
      child.stdin.destroy();
      resolve();
    };
    child.on("error", (error) => onEnd(error.message));
    child.on("exit", (code) => onEnd(`ended with exit code ${code}`));
  });

  return {
    /** Waits until a URL returns a successful status. Throws if Keycloak ends or takes too long. */
    async waitUntilReady(url: string): Promise<void> {
      const deadlineMs = performance.now() + maxStartMs;
      while (!(await isReady(url))) {
        if (hasEnded || performance.now() > deadlineMs) {
          throw new Error(`Keycloak did not start. The end of its log:\n${log}`);
        }
        await sleep(200);
      }
    },
    /** Ends all processes and deletes the folder. */
    stop(): Promise<void> {
      child.stdin.end();
      return ended;
    },
  };
}

async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(10_000) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false; // the port is not open yet, or Keycloak does not respond yet
  }
}
