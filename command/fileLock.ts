import { createHash } from "node:crypto";
import { closeSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { argumentInvalid } from "../provider/errors/projectServiceError.js";
import { displayText } from "../provider/errors/displayText.js";
import { placeOf } from "./filePath.js";

const maxWaitMs = 30_000;

/**
 * Runs a task while no other process with the same temporary folder runs one for the same file. The lock is
 * in the temporary folder, because the folder of the file may allow no new file.
 *
 * The task cannot be asynchronous, so no timer and no signal ends the process while it has the lock.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` after 30 s, or if the lock cannot be created.
 */
export async function withLock<T>(file: string, task: () => T): Promise<T> {
  const name = createHash("sha256").update(placeOf(file)).digest("hex").slice(0, 16);
  const lock = join(tmpdir(), `project-service-${name}.lock`);
  const endMs = performance.now() + maxWaitMs;
  deferSignals();
  while (!create(lock)) {
    if (performance.now() > endMs) {
      throw argumentInvalid(
        `The file ${displayText(lock, 1000)} exists, so another command may be writing ${displayText(file, 1000)}. If none is running, delete the first file.`,
      );
    }
    await sleep(50);
  }
  try {
    return task();
  } finally {
    rmSync(lock, { force: true });
  }
}

function create(lock: string): boolean {
  try {
    closeSync(openSync(lock, "wx"));
    return true;
  } catch (error) {
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return false;
    throw argumentInvalid(
      `Creating the lock ${displayText(lock, 1000)} failed: ${code}. Set TMPDIR to a folder that allows new files.`,
    );
  }
}

const endingSignals = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;

/** Lets signals end the process only when the present task has ended: a handler runs between two tasks. */
export function deferSignals(): void {
  for (const signal of endingSignals) {
    if (process.listenerCount(signal) > 0) continue;
    process.once(signal, () => process.kill(process.pid, signal));
  }
}
