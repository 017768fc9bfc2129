const minGapMs = 20;
const maxGapMs = 1_000;
/** After 503, which a service can send for another reason than its load. */
const maxGap503Ms = 150;

/**
 * Finds the pace that a rate limiter allows which refuses requests without saying when to try again.
 *
 * It leaves a gap between the starts of two requests. The gap grows with refusals. It shrinks with successes, and
 * stays a little above the largest gap that was too short. A response counts only if its request was sent since the
 * gap last grew. Times are on the clock of `performance.now()`.
 */
export class Pace {
  private gapMs = 0;
  /** The largest gap that was too short. */
  private floorMs = 0;
  private startedMs = -Infinity;
  private grownMs = -Infinity;
  private successes = 0;
  private refusals = 0;
  succeededMs = -Infinity;

  /** Starts a request, and returns 0. If it is too early, returns the ms until it may ask again. */
  start(nowMs: number): number {
    const waitMs = Math.max(0, this.startedMs + this.gapMs - nowMs);
    if (waitMs === 0) this.startedMs = nowMs;
    return waitMs;
  }

  /** @param sentMs when the request was sent. */
  recordSuccess(sentMs: number): void {
    this.succeededMs = performance.now();
    if (sentMs < this.grownMs) return;
    this.successes++;
    const gapMs = Math.max(this.gapMs / 2, Math.min(0.98 * this.gapMs, 1.25 * this.floorMs));
    this.gapMs = gapMs < 1 ? 0 : gapMs;
  }

  /**
   * Records a 429 or 503 that does not say how long to wait.
   *
   * @param isOutage whether no other read has succeeded since this one last failed.
   * @returns whether the gap has grown.
   */
  recordRefusal(status: number, sentMs: number, isOutage: boolean): boolean {
    if (sentMs < this.grownMs) return false;
    this.refusals++;
    if (status === 503) {
      // An outage should end soon, and a project that always gets 503 is no limiter.
      if (isOutage) this.gapMs = this.gapMs < minGapMs / 2 ? 0 : this.gapMs / 2;
      // A limiter refuses most of what is too fast. Of three servers, one that is down refuses a third.
      if (isOutage || this.refusals < this.successes) return false;
    }
    if (this.successes > 0) this.floorMs = this.gapMs;
    const maxMs = status === 429 ? maxGapMs : Math.max(maxGap503Ms, this.gapMs);
    this.gapMs = Math.min(Math.max(1.5 * this.gapMs, minGapMs), maxMs);
    this.grownMs = performance.now();
    this.successes = this.refusals = 0;
    return true;
  }

  /** Whether a read has succeeded a short time ago, and after `failedMs`. */
  hasSucceededSince(failedMs: number): boolean {
    const recentMs = performance.now() - 500 - 4 * this.gapMs;
    return this.succeededMs > Math.max(failedMs, recentMs);
  }
}
