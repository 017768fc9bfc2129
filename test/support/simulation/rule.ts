import type { Observer } from "./events.js";
import type { ObservedWorld } from "./world.js";

/** Observes one schedule and reports each violation. */
export type Rule = (world: ObservedWorld, violated: (how: string) => void) => Observer;

/** Rules by their names. The name is the statement that must hold. */
export type Rules = Readonly<Record<string, Rule>>;
