import { displayNumber } from "../errors/displayText.js";
import { clock } from "../http/clock.js";

/** Calls `show` after 2 s or `firstMs`, and then at intervals until the work ends. */
export async function withProgress<T>(
  show: (seconds: number) => void,
  intervalMs: number,
  work: () => Promise<T>,
  firstMs = 2_000,
): Promise<T> {
  const startMs = clock.now();
  const showAfter = (waitMs: number): NodeJS.Timeout =>
    clock.setTimeout(() => {
      show(Math.round((clock.now() - startMs) / 1_000));
      timer = showAfter(intervalMs);
    }, waitMs);
  let timer = showAfter(firstMs);
  try {
    return await work();
  } finally {
    clock.clearTimeout(timer);
  }
}

/**
 * Counts the projects that were read. Returns the callback for each of them, and the text.
 *
 * @param slowness says that refusals of the service slow the reads down, if they do.
 */
export function readCounter(slowness: () => string | undefined = () => undefined) {
  let counts = [0, 0];
  return {
    onProgress: (...now: [read: number, total: number]): void => void (counts = now),
    text: (): string => {
      const [read, total] = counts.map(displayNumber);
      const done = total === "0" ? "Listing the projects" : `Reading projects: ${read} of ${total}`;
      return [done, slowness()].filter(Boolean).join("; ");
    },
  };
}
