import type { TimeLimits } from "../../../provider/http/limits.js";
import type { Observer } from "./events.js";
import type { Random } from "./random.js";
import type { SchedulePlan } from "./schedulePlan.js";
import type { CountingClock, SimulatedClock } from "./simulatedClock.js";

/** The parts of one schedule that others look at. */
export interface ObservedWorld {
  readonly plan: SchedulePlan;
  readonly limits: TimeLimits;
  readonly clock: SimulatedClock;
  /** The clock that the client is given. */
  readonly clientClock: CountingClock;
}

/** The parts of one schedule that all others need. */
export interface World extends ObservedWorld {
  readonly random: Random;
  readonly observer: Observer;
}

/** Observes one schedule and reports each violation. */
type Rule = (world: ObservedWorld, violated: (how: string) => void) => Observer;

/** Rules by their names. The name is the statement that must hold. */
export type Rules = Readonly<Record<string, Rule>>;
