import { spawn } from "node:child_process";
import { once } from "node:events";
import { buffer, text } from "node:stream/consumers";
import { stripVTControlCharacters } from "node:util";
import { displayText } from "../provider/errors/displayText.js";
import { findProgram } from "./findProgram.js";
import { printStderr } from "./standardStreams.js";

/** What Pulumi prints in place of a secret. */
export const hiddenSecret = "[secret]";

/** What the Pulumi CLI printed, and how it ended. */
export interface PulumiRun {
  /** Says why it did not succeed. */
  readonly failure?: string | undefined;
  /** Says why no command of the CLI can work, without a period. */
  readonly unusable?: string | undefined;
  /** Whether no stack is selected. */
  readonly hasNoStack?: boolean;
  /** These are bytes: a large stack has more JSON than a text of Node can contain. */
  readonly stdout: Buffer;
}

/**
 * The errors of Pulumi that are quoted. Others can contain the address of the state backend with its password, or a
 * part of the stack file. These are the sentences of CLI 3.220.0.
 */
const knownErrors =
  /^error: .*?(no stack selected|no stack named '[\w./-]+' found|incorrect passphrase|passphrase must be set with PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE|could not decrypt configuration values|failed to decrypt|PULUMI_ACCESS_TOKEN must be set for login)/m;

/**
 * Returns the name of the stack from the option, or from PULUMI_STACK. If no stack has that name, the CLI says so for
 * the option. For the variable, it says that no stack is selected.
 */
export function namedStack(option: string | undefined): string | undefined {
  return option ?? (process.env["PULUMI_STACK"] || undefined);
}

/** How long a command of the CLI may take. Without these, it may take any time. */
export interface Waits {
  /** After this time, a line names the command. */
  readonly noticeMs?: number;
  /** After this time, it is ended. */
  readonly limitMs?: number;
}

/** Runs a command of the Pulumi CLI in a folder, for the selected or a named stack. */
export async function runPulumi(
  args: readonly string[],
  directory: string,
  stack?: string,
  { noticeMs, limitMs }: Waits = {},
): Promise<PulumiRun> {
  const stdout = Buffer.alloc(0);
  const program = findProgram("pulumi");
  if (program === undefined) {
    const unusable = "There is no Pulumi CLI on PATH";
    // On Windows, the npm package has a batch file, which Node cannot start without a shell.
    const npm = process.platform === "win32" ? "" : ", for instance with npm install pulumi";
    return { failure: `${unusable}. Install it${npm}.`, unusable, stdout };
  }
  const named = namedStack(stack);
  const options = named === undefined ? [] : ["--stack", named];
  // With options of another run, this one would look at other resources, or print something else. On Windows, a variable
  // has any case.
  const ignored = /^PULUMI_(OPTION_|ENABLE_STREAMING_JSON_PREVIEW$)/i;
  const variables = Object.entries(process.env).filter(([variable]) => !ignored.test(variable));
  try {
    // On Windows, this throws errors that it emits elsewhere.
    const child = spawn(program, [...args, "--non-interactive", ...options], {
      cwd: directory,
      env: Object.fromEntries(variables),
      stdio: ["ignore", "pipe", "pipe"],
    });
    const words = ["pulumi", ...args.filter((each) => !each.startsWith("-"))].join(" ");
    let unusable: string | undefined;
    const timers = [
      noticeMs && setTimeout(() => printStderr(`Waiting for ${words}.`), noticeMs),
      limitMs &&
        setTimeout(() => {
          unusable = `${words} has not ended within ${limitMs / 1_000} s`;
          child.kill("SIGKILL");
          // A process that it has started may keep these open.
          child.stdout.destroy();
          child.stderr.destroy();
        }, limitMs),
    ];
    const exited = once(child, "exit") as Promise<[status: number | null, signal: string | null]>;
    const [printed, stderr, [status, signal]] = await Promise.all([
      buffer(child.stdout).catch(() => stdout),
      text(child.stderr).catch(() => ""),
      exited,
    ]).finally(() => timers.forEach((timer) => clearTimeout(timer || undefined)));
    if (unusable !== undefined) return { failure: `${unusable}.`, unusable, stdout };
    if (status === 0) return { stdout: printed };
    const [, known] = knownErrors.exec(stripVTControlCharacters(stderr)) ?? [];
    if (known?.startsWith("PULUMI_ACCESS_TOKEN")) unusable = "The Pulumi CLI is not logged in";
    const command = displayText([words, ...options].join(" "), 200);
    const failure =
      known === undefined
        ? `${words} ended with ${status ?? signal}. To see why, run ${command} in the folder of the project.`
        : `Pulumi says "${known}".`;
    return { failure, unusable, hasNoStack: known === "no stack selected", stdout: printed };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const failure = `${displayText(program, 200)} did not start (${code}).`;
    return { failure, stdout };
  }
}
