import type { Random } from "./random.js";
import { drawTroubles, type RequestKind, type TroublePlan } from "./troubles.js";

/** A change of the clocks or of the service at a time. */
export interface Disturbance {
  readonly atMs: number;
  readonly name:
    | "wall clock jumps"
    | "machine sleeps"
    | "access tokens are revoked"
    | "refresh tokens are revoked"
    | "password is changed"
    | "password is set back";
  readonly ms: number;
}

/** A call that is to start at a time. */
export interface Arrival {
  readonly atMs: number;
  /** "list" for the list of all projects, "name" for a read by name. */
  readonly projectId: string;
  /** The number of the client, from 0. */
  readonly client: number;
}

/** The part of a schedule that is drawn before it runs. The rest is drawn while it runs. */
export interface SchedulePlan {
  /** The number of clients that share one identity, and with it the token cache. */
  readonly clients: number;
  readonly maxConcurrency: number;
  readonly timeoutSeconds: number;
  readonly arrivals: readonly Arrival[];
  readonly statuses: Readonly<Record<string, 200 | 403 | 404>>;
  readonly list: {
    readonly pages: number;
    readonly wrongTotalChance: number;
    /** When the first project of the list is deleted, so that all others move to earlier pages. */
    readonly deletedAtMs: number;
    /** When the last project of the list, which is read by name, gets another name. */
    readonly renamedAtMs: number;
  };
  readonly latency: {
    readonly stepMs: number;
    readonly slowChance: number;
    readonly slowMs: number;
  };
  readonly tokens: {
    readonly lifetimeMs: number;
    readonly refreshLifetimeMs: number | undefined;
    /** The refresh token in the response to a refresh. With "none" a sign-in brings none either. */
    readonly refreshTokens: "new" | "same" | "omitted" | "none";
  };
  readonly isPasswordRight: boolean;
  readonly troubles: Readonly<Record<RequestKind, TroublePlan>>;
  readonly disturbances: readonly Disturbance[];
}

/** The numbers of outages that a schedule may have. */
const outageCounts = [0, 0, 0, 0, 1, 2];
const statuses = [200, 200, 200, 200, 200, 403, 404] as const;

export function drawPlan(random: Random): SchedulePlan {
  const horizonMs = random.pick([1_000, 20_000, 120_000, 600_000]);
  const timeoutSeconds = random.pick([1, 15, 15, 15, 60, 300]);
  const hasMany = random.chance(0.015);
  const clients = random.pick([1, 1, 1, 2]);
  const arrivals = drawArrivals(random, horizonMs, hasMany, clients);
  const sometime = (): number => random.pick([Infinity, Infinity, random.integer(0, horizonMs)]);
  const lifetimeMs = random.pick([1_000, 5_000, horizonMs / 5, horizonMs, 900_000]);
  return {
    clients,
    maxConcurrency: random.pick(hasMany ? [2, 16, 16] : [1, 2, 3, 5, 16]),
    timeoutSeconds,
    arrivals,
    statuses: Object.fromEntries(
      arrivals
        .filter(({ projectId }) => projectId.startsWith("p-"))
        .map(({ projectId }) => [projectId, random.pick(statuses)]),
    ),
    list: {
      pages: random.integer(1, 4),
      wrongTotalChance: random.pick([0, 0, 0, 0.2, 1]),
      deletedAtMs: sometime(),
      renamedAtMs: sometime(),
    },
    latency: {
      stepMs: random.pick([1, 20, 100]),
      slowChance: random.pick([0, 0, 0, 0.1, 0.5]),
      slowMs: random.pick([2_000, timeoutSeconds * 500, timeoutSeconds * 1_100]),
    },
    tokens: {
      lifetimeMs,
      refreshLifetimeMs: random.pick([undefined, lifetimeMs / 2, lifetimeMs, 10 * lifetimeMs]),
      refreshTokens: random.pick(["new", "new", "same", "omitted", "none"]),
    },
    isPasswordRight: !random.chance(0.03),
    troubles: {
      read: drawTroubles(random, "read", horizonMs, hasMany ? [1, 2] : outageCounts),
      password: drawTroubles(random, "password", horizonMs, hasMany ? [0] : outageCounts),
      refresh: drawTroubles(random, "refresh", horizonMs, outageCounts),
    },
    disturbances: Array.from({ length: random.pick([0, 0, 1, 2, 4]) }, () =>
      drawDisturbance(random, horizonMs),
    ),
  };
}

function drawArrivals(
  random: Random,
  horizonMs: number,
  hasMany: boolean,
  clients: number,
): readonly Arrival[] {
  const count = hasMany ? random.integer(50, 90) : random.integer(1, 7);
  const instants = Array.from(
    { length: random.pick(hasMany ? [3, 100, 100, 100] : [1, 3, 100]) },
    () => random.integer(0, horizonMs),
  );
  const sharedProjects = random.pick([0, 0, 0, 0, 2]);
  const arrivals = Array.from({ length: count }, (_, index) => ({
    atMs: random.pick(instants),
    projectId: sharedProjects === 0 ? `p-${index}` : `p-${random.integer(1, sharedProjects)}`,
    client: random.integer(0, clients - 1),
  }));
  // One list in a schedule: the requests of two could not be told apart.
  const withList = random.chance(0.3)
    ? [{ atMs: random.pick(instants), projectId: random.pick(["list", "list", "name"]), client: 0 }]
    : [];
  return [...withList, ...arrivals];
}

function drawDisturbance(random: Random, horizonMs: number): Disturbance {
  return {
    atMs: random.integer(0, horizonMs),
    name: random.pick([
      "wall clock jumps",
      "wall clock jumps",
      "machine sleeps",
      "access tokens are revoked",
      "access tokens are revoked",
      "refresh tokens are revoked",
      "password is changed",
      "password is set back",
    ]),
    ms: random.pick([-1, 1]) * random.pick([500, 10_000, 59_000, 3_600_000]),
  };
}
