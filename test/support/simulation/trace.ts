import { inspect } from "node:util";
import type { Observer } from "./events.js";
import type { ObservedWorld } from "./world.js";

/** Prints the plan of a schedule and one line for each event. */
export function traceTo(print: (line: string) => void): (world: ObservedWorld) => Observer {
  return ({ plan, clock }) => {
    print(inspect(plan, { depth: Infinity }));
    return ({ type, ...event }) => {
      if (type === "client idle" || type === "operation ended") return;
      const time = clock.monotonicMs().toFixed(3).padStart(14);
      print(`${time} ms  ${type} ${JSON.stringify(event, withoutRepetition)}`);
    };
  };
}

/** Leaves out the objects that an earlier line has shown. */
function withoutRepetition(key: string, value: unknown): unknown {
  if (["client", "outer", "requests", "value"].includes(key)) return undefined;
  if (value instanceof Error) return String(value);
  return value;
}
