import { pacedProgress } from "../../provider/service/readEach.js";
import type { ProgressListener } from "../../provider/service/readEach.js";

const width = 24;

/** Draws the progress of a long read on one line of a terminal, and clears the line at the end. */
export function progressBar(write: (text: string) => void, nowMs?: () => number): ProgressListener {
  return pacedProgress((done, total) => {
    if (done === total) return write("\r\u001b[K");
    const filled = Math.floor((done / total) * width);
    const bar = "█".repeat(filled) + "░".repeat(width - filled);
    const counts = [done, total].map((count) => count.toLocaleString("en-US")).join(" of ");
    write(`\r${bar} ${counts} projects`);
  }, nowMs);
}
