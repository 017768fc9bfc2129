import type { SandboxFailure } from "./publicTypes.js";

interface PlannedFailure {
  readonly status: number;
  readonly matches: (path: string) => boolean;
  timesLeft: number;
}

export interface RequestPaths {
  /** The list. The read of a project appends a segment. */
  readonly projects: string;
  readonly token: string;
}

export class PlannedFailures {
  private readonly failures: PlannedFailure[] = [];

  constructor(private readonly paths: RequestPaths) {}

  /** @throws TypeError that names the wrong value and says what to pass. */
  add(failure: SandboxFailure): void {
    const { status, times = 1, path } = failure;
    if (!Number.isInteger(status) || status < 400 || status > 599) {
      throw new TypeError(`status of failNext must be a whole number from 400 to 599.`);
    }
    if (times !== Infinity && !(Number.isInteger(times) && times >= 1)) {
      throw new TypeError(`times of failNext must be a whole number of at least 1, or Infinity.`);
    }
    this.failures.push({ status, timesLeft: times, matches: this.matcherOf(path) });
  }

  /** Returns the status with which a request must fail, and counts the request. */
  take(path: string): number | undefined {
    const failure = this.failures.find(({ timesLeft, matches }) => timesLeft > 0 && matches(path));
    if (failure !== undefined) failure.timesLeft--;
    return failure?.status;
  }

  private matcherOf(path: SandboxFailure["path"]): PlannedFailure["matches"] {
    const { projects, token } = this.paths;
    // Whether a read signs in first depends on the reads before it. Without a path, it must not matter.
    if (path === undefined) return (requested) => requested !== token;
    // Unlike `test`, `search` starts at the beginning for every flag.
    if (typeof path !== "string") return (requested) => requested.search(path) !== -1;
    const isKnown = [projects, token].includes(path) || path.startsWith(`${projects}/`);
    if (isKnown && !path.includes("?")) {
      return (requested) => requested === path || decodeURIComponent(requested) === path;
    }
    throw new TypeError(
      `path of failNext must be "${projects}", "${projects}/{projectId}" or "${token}", without a query, or a RegExp.`,
    );
  }
}
