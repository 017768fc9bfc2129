#!/usr/bin/env node
import { Console } from "node:console";
import { failureCode, messageOf, runCommandLine } from "./commands.js";
import { printStderr } from "./standardStreams.js";

const words = process.argv.slice(2);

/** Undefined until the command ends. */
let exitCode: number | undefined;

// A rules file could end the process with a code that means something else here.
process.on("exit", () => {
  if (exitCode === undefined) {
    printStderr(
      "The process ended before the command did. A rules file must not call process.exit or wait for a promise that never settles.",
    );
  }
  process.exitCode = exitCode ?? failureCode(words);
});

// It could also log, and standard output is for the report.
globalThis.console = new Console(process.stderr);

/** Ends the process with our own code. Node's exit code for an uncaught error is 1: "findings". */
function fail(error: unknown): never {
  printStderr(messageOf(error));
  exitCode = failureCode(words);
  process.exit();
}

process.on("uncaughtException", fail);
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // A reader such as head may close the pipe early. That is not a failure.
  if (error.code !== "EPIPE") fail(error);
});
// A closed standard error loses messages, but it does not change the exit code.
process.stderr.on("error", () => {});

void runCommandLine(words).then((code) => {
  exitCode = code;
  // Ends the process when its output is written, although a rules file may have left a timer running.
  // An error of an earlier write is emitted after this callback.
  process.stdout.write("", () => setImmediate(() => process.exit()));
});
