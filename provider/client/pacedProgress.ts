import type { ProgressListener } from "./readEach.js";

const silentMs = 2_000;
const pauseMs = 1_000;

/**
 * Passes on the progress of a read: from 2 s on, at most once a second, and when it is complete.
 *
 * It has no timer: it only reacts to progress.
 */
export function pacedProgress(
  listener: ProgressListener,
  nowMs: () => number = () => performance.now(),
): ProgressListener {
  let nextMs = nowMs() + silentMs;
  let hasReported = false;
  return (done, total) => {
    const isLast = hasReported && done === total;
    if (nowMs() < nextMs && !isLast) return;
    nextMs = nowMs() + pauseMs;
    hasReported = true;
    listener(done, total);
  };
}
