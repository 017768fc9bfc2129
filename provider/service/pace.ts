const minGapMs = 20;
const maxGapMs = 1_000;
/** After 503, which a service can send for another reason than its load. */
const maxGap503Ms = 150;
/** The floor after a gap of 0 was too short. */
const minFloorMs = 8;
/** If more responses are counted, both counts are halved, so that the last ones decide. */
const maxResponses = 32;

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
    this.forget();
    const gapMs = Math.max(this.gapMs / 2, Math.min(0.98 * this.gapMs, 1.25 * this.floorMs));
    this.gapMs = gapMs < 1 ? 0 : gapMs;
  }

  /**
   * Records a 429 or 503 that does not say how long to wait.
   *
   * @param failedMs when the same read last failed.
   * @returns whether another read has succeeded a short time ago, and after `failedMs`.
   */
  recordRefusal(status: number, sentMs: number, failedMs: number): boolean {
    const recentMs = performance.now() - 500 - 4 * this.gapMs;
    const isLimited = this.succeededMs > Math.max(failedMs, recentMs);
    if (sentMs < this.grownMs) return isLimited;
    this.refusals++;
    this.forget();
    if (status === 503 && !isLimited) {
      // An outage should end soon, and a project that always gets 503 is no limiter.
      this.gapMs = this.gapMs < minGapMs / 2 ? 0 : this.gapMs / 2;
    } else if (status === 429 || 1.5 * this.refusals >= this.successes) {
      // After 503 only if two of five requests are refused. If one of three servers is down, a third is refused,
      // and slower reads would not help.
      this.grow(status === 429 ? maxGapMs : Math.max(maxGap503Ms, this.gapMs));
    }
    return isLimited;
  }

  private grow(maxMs: number): void {
    if (this.successes > 0) this.floorMs = Math.max(this.gapMs, minFloorMs);
    this.gapMs = Math.min(Math.max(1.5 * this.gapMs, minGapMs), maxMs);
    this.grownMs = performance.now();
    this.successes = this.refusals = 0;
  }

  private forget(): void {
    if (this.successes + this.refusals <= maxResponses) return;
    this.successes /= 2;
    this.refusals /= 2;
  }
}
