import type { ProgressListener } from "./readEach.js";

const silentMs = 2_000;
const pauseMs = 1_000;

/**
 * Passes on how far a long reading is: from 2 s on, once a second at most, and when it is done. No
 * timer: it speaks when there is news.
 */
export function pacedProgress(
  listener: ProgressListener,
  nowMs: () => number = () => performance.now(),
): ProgressListener {
  let nextMs = nowMs() + silentMs;
  let hasSpoken = false;
  return (done, total) => {
    const isLast = hasSpoken && done === total;
    if (nowMs() < nextMs && !isLast) return;
    nextMs = nowMs() + pauseMs;
    hasSpoken = true;
    listener(done, total);
  };
}
