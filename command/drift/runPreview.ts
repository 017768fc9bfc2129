import { spawn } from "node:child_process";
import { once } from "node:events";
import { buffer, text } from "node:stream/consumers";
import { requireFolder } from "../filePath.js";
import { say } from "../standardStreams.js";
import { couldNotLook, linesOf, previewFailed } from "./couldNotLook.js";
import { errorsIn, type Preview, readPreview } from "./preview.js";

/**
 * The options of the preview. A refresh would take the drift into the state first. Unchanged resources
 * show that something is recorded.
 */
const fixedArguments = [
  "preview",
  "--json",
  "--refresh=false",
  "--show-sames",
  "--non-interactive",
];

const source = "What pulumi preview printed";

/**
 * Runs `pulumi preview`.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` if it fails. The message contains what Pulumi says.
 */
export async function runPreview(directory: string, args: readonly string[]): Promise<Preview> {
  requireFolder(directory);
  const stopProgress = showProgress();
  const { code, signal, stdout, stderr } = await run(directory, [
    ...fixedArguments,
    ...args,
  ]).finally(stopProgress);
  if (code === 0) {
    for (const line of linesOf(stderr)) say(line);
    return readPreview(stdout, source);
  }
  // The JSON has the error of a program, and standard error that of the CLI.
  const messages = [...errorsIn(stdout), stderr];
  const isSilent = messages.every((message) => message.trim() === "");
  throw previewFailed(
    isSilent ? `pulumi preview ended with ${code ?? signal}` : "pulumi preview failed",
    messages,
  );
}

async function run(directory: string, args: readonly string[]) {
  const { PULUMI_ENABLE_STREAMING_JSON_PREVIEW: _, ...env } = process.env;
  const child = spawn("pulumi", args, { cwd: directory, env, stdio: ["ignore", "pipe", "pipe"] });
  // A terminal sends its interrupt to Pulumi too, which then ends in order.
  const onInterrupt = () => {};
  const onTerminate = () => child.kill("SIGTERM");
  process.on("SIGINT", onInterrupt).on("SIGTERM", onTerminate);
  try {
    const [[code, signal], stdout, stderr] = await Promise.all([
      once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>,
      buffer(child.stdout),
      text(child.stderr),
    ]);
    return { code, signal, stdout, stderr };
  } catch (error) {
    if (child.pid !== undefined) throw error;
    const { code } = error as NodeJS.ErrnoException;
    const advice = code === "ENOENT" ? "Install the Pulumi CLI, and put it on PATH." : "";
    throw couldNotLook(`pulumi did not start (${code}). ${advice}`.trimEnd());
  } finally {
    process.off("SIGINT", onInterrupt).off("SIGTERM", onTerminate);
  }
}

/** Shows how long the preview runs: on a terminal the seconds, in a log one line. Returns the end of it. */
function showProgress(): () => void {
  const { stderr } = process;
  if (!stderr.isTTY) {
    say("Running pulumi preview…");
    return () => {};
  }
  const startMs = performance.now();
  const show = () => {
    const seconds = Math.round((performance.now() - startMs) / 1000);
    stderr.write(`\r\u001b[KRunning pulumi preview… ${seconds} s`);
  };
  show();
  const timer = setInterval(show, 1000);
  return () => {
    clearInterval(timer);
    stderr.write("\r\u001b[K");
  };
}
