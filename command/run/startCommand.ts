import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync } from "node:fs";
import { constants } from "node:os";
import { displayText } from "../../provider/errors/displayText.js";
import { findProgram } from "../findProgram.js";
import { printStderr } from "../standardStreams.js";

/** As in env(1): https://www.gnu.org/software/coreutils/manual/html_node/env-invocation.html */
const exitCodes = { cannotStart: 126, notFound: 127, bySignal: 128 };

/** Returns the path of the program. If it cannot be started, prints why, and returns the exit code. */
export function findCommand(command: string): string | number {
  // A command that was quoted as a whole can contain a password, and so can an assignment such as PASSWORD=x.
  const [word = "", rest] = command.split(/[\s=]/, 2);
  const isQuoted = rest !== undefined;
  const name = displayText(word, 200) + (isQuoted ? " …" : "");
  try {
    const program = findProgram(command);
    if (program !== undefined && (!isQuoted || existsSync(program))) return program;
    const advice = isQuoted
      ? "Pass its arguments as separate words, or start a shell: -- sh -c '…'"
      : `To start a file of this folder, write ./${name}`;
    printStderr(`There is no program ${name} on PATH. ${advice}`);
    return exitCodes.notFound;
  } catch (error) {
    printStderr(`${(error as Error).message} Or let cmd start it: -- cmd /c ${name}`);
    return exitCodes.cannotStart;
  }
}

const isWindows = process.platform === "win32";

/** Signals that reach the command, and do not end this process. Windows does not have the last four. */
const signals: readonly NodeJS.Signals[] = [
  ...(["SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM"] as const),
  ...(isWindows ? [] : (["SIGUSR1", "SIGUSR2", "SIGWINCH", "SIGCONT"] as const)),
];

/**
 * Starts a program, and waits for its end. Then ends this process by the signal that ended the program, if that was
 * SIGHUP, SIGINT or SIGTERM: a shell would otherwise go on after Ctrl-C. Returns the exit code in all other cases.
 */
export function startCommand(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<number> {
  return new Promise<number>((resolve, reject) => {
    for (const signal of signals) {
      process.on(signal, () => isSentToCommand(signal) || child.kill(signal));
    }
    // This throws some errors that it emits elsewhere: https://github.com/nodejs/node/blob/v20.20.2/lib/internal/child_process.js#L405
    const child = spawn(program, args, { env, stdio: "inherit" });
    // After the start, the error is that a command of another user refuses a signal.
    child.on("error", (error) => child.pid ?? reject(error));
    child.on("exit", (code, signal) => resolve(code ?? endBy(signal as NodeJS.Signals)));
  }).catch(({ code }: NodeJS.ErrnoException) => {
    const name = displayText(program, 200);
    if (code === "ENOENT") {
      const missing = existsSync(program) ? `The interpreter in the first line of ${name}` : name;
      printStderr(`${missing} does not exist.`);
      return exitCodes.notFound;
    }
    const cause =
      code === "E2BIG" ? " Its arguments and variables are too long for this system." : "";
    printStderr(`${name} did not start: ${code}.${cause}`);
    return exitCodes.cannotStart;
  });
}

/**
 * Whether the system sends a signal to the command too. A terminal sends SIGINT to all of its processes, whatever their
 * streams are. Pulumi ends at once after a second one, and can lose a resource that it made. On Windows, the console
 * does the same, and `kill` would end the command.
 */
function isSentToCommand(signal: NodeJS.Signals): boolean {
  return isWindows || (signal === "SIGINT" && hasTerminal());
}

function hasTerminal(): boolean {
  try {
    closeSync(openSync("/dev/tty", "r"));
    return true;
  } catch {
    return false;
  }
}

/** Returns the exit code after a signal that does not end this process, as SIGTERM does not end process 1. */
function endBy(signal: NodeJS.Signals): number {
  for (const each of signals) process.removeAllListeners(each);
  if (["SIGHUP", "SIGINT", "SIGTERM"].includes(signal)) process.kill(process.pid, signal);
  return exitCodes.bySignal + constants.signals[signal];
}
