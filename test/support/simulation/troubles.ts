import type { Random } from "./random.js";

export type RequestKind = "read" | "password" | "refresh";

/** A failure of the network or of the service, which one request meets. */
export interface Trouble {
  readonly fault?:
    | "request lost"
    | "response lost"
    | "connection reset"
    | "connection refused"
    | "certificate expired";
  readonly status?: number;
  readonly retryAfterSeconds?: number | undefined;
}

export type Troubles = Readonly<Record<string, Trouble>>;

const everywhere = {
  requestLost: { fault: "request lost" },
  responseLost: { fault: "response lost" },
  connectionReset: { fault: "connection reset" },
  connectionRefused: { fault: "connection refused" },
  certificateExpired: { fault: "certificate expired" },
  failing: { status: 500 },
  unavailable: { status: 503 },
  unavailableFor2s: { status: 503, retryAfterSeconds: 2 },
  busy: { status: 429 },
  busyFor0s: { status: 429, retryAfterSeconds: 0 },
  busyFor5s: { status: 429, retryAfterSeconds: 5 },
  busyFor30s: { status: 429, retryAfterSeconds: 30 },
  busyFor31s: { status: 429, retryAfterSeconds: 31 },
  busyFor1h: { status: 429, retryAfterSeconds: 3_600 },
} as const satisfies Record<string, Trouble>;

/** All troubles by the kind of request that meets them. */
export const troublesOf: Readonly<Record<RequestKind, Troubles>> = {
  read: { ...everywhere, tokenRejected: { status: 401 } },
  password: { ...everywhere, credentialsRejected: { status: 400 } },
  refresh: { ...everywhere, credentialsRejected: { status: 400 } },
};

export interface TroublePlan {
  /** The probability of trouble outside of outages. */
  readonly chance: number;
  readonly names: readonly string[];
  readonly outages: readonly {
    readonly fromMs: number;
    readonly toMs: number;
    readonly name: string;
  }[];
}

export function drawTroubles(
  random: Random,
  kind: RequestKind,
  horizonMs: number,
  outageCounts: readonly number[],
): TroublePlan {
  const all = Object.keys(troublesOf[kind]);
  return {
    chance: random.pick([0, 0, 0, 0, 0.05, 0.2, 0.7]),
    names: Array.from({ length: random.integer(1, 3) }, () => random.pick(all)),
    outages: Array.from({ length: random.pick(outageCounts) }, () => {
      const fromMs = random.pick([0, random.integer(0, horizonMs)]);
      const toMs = fromMs + random.pick([horizonMs / 4, horizonMs, 10 * horizonMs]);
      return { fromMs, toMs, name: random.pick(all) };
    }),
  };
}

/** Returns the name of the trouble that a request meets, or undefined. */
export function drawTrouble(
  random: Random,
  { chance, names, outages }: TroublePlan,
  nowMs: number,
): string | undefined {
  const outage = outages.find(({ fromMs, toMs }) => nowMs >= fromMs && nowMs < toMs);
  if (outage !== undefined) return outage.name;
  return random.chance(chance) ? random.pick(names) : undefined;
}
