import { spawn } from "node:child_process";
import { once } from "node:events";
import { buffer, text } from "node:stream/consumers";
import { stripVTControlCharacters } from "node:util";
import { displayText } from "../provider/errors/displayText.js";

/** What Pulumi prints in place of a secret. */
export const hiddenSecret = "[secret]";

/** What the Pulumi CLI printed, and how it ended. */
export interface PulumiRun {
  /** Says why it did not succeed. */
  readonly failure?: string | undefined;
  /** Whether there is no Pulumi CLI. */
  readonly isMissing?: boolean;
  /** These are bytes: a large stack has more JSON than a text of Node can contain. */
  readonly stdout: Buffer;
  readonly stderr: string;
}

/**
 * Returns the name of the stack from the option, or from PULUMI_STACK. If no stack has that name, the CLI says so for
 * the option. For the variable, it says that no stack is selected.
 */
export function namedStack(option: string | undefined): string | undefined {
  return option ?? (process.env["PULUMI_STACK"] || undefined);
}

/** Runs a command of the Pulumi CLI in a folder, for the selected or a named stack. */
export async function runPulumi(
  args: readonly string[],
  directory: string,
  stack?: string,
): Promise<PulumiRun> {
  const named = namedStack(stack);
  const options = named === undefined ? [] : ["--stack", named];
  // With options of another run, this one would look at other resources, or print something else.
  const ignored = /^PULUMI_(OPTION_|ENABLE_STREAMING_JSON_PREVIEW$)/;
  const variables = Object.entries(process.env).filter(([variable]) => !ignored.test(variable));
  const child = spawn("pulumi", [...args, "--non-interactive", ...options], {
    cwd: directory,
    env: Object.fromEntries(variables),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "close") as Promise<[status: number | null, signal: string | null]>;
  try {
    const [stdout, stderr, [status, signal]] = await Promise.all([
      buffer(child.stdout),
      text(child.stderr),
      ended,
    ]);
    const failure = status === 0 ? undefined : `pulumi ${args[0]} ended with ${status ?? signal}.`;
    return { failure, stdout, stderr };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isMissing = code === "ENOENT";
    const advice = isMissing ? " Install the Pulumi CLI, and put it on PATH." : "";
    const failure = `pulumi did not start (${code}).${advice}`;
    return { failure, isMissing, stdout: Buffer.alloc(0), stderr: "" };
  }
}

/** Returns the lines of a text that Pulumi printed, safe to show. */
export function printedLines(text: string): string[] {
  return stripVTControlCharacters(text)
    .split("\n")
    .map((line) => displayText(line.trimEnd(), 1000))
    .filter((line) => line !== "");
}
