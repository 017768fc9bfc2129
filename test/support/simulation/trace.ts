import { inspect } from "node:util";
import type { Observer, SimulationEvent } from "./events.js";
import type { ObservedWorld } from "./world.js";

/** Prints the plan of a schedule and one line for each event. */
export function traceTo(print: (line: string) => void): (world: ObservedWorld) => Observer {
  return ({ plan, clock }) => {
    print(inspect(plan, { depth: Infinity }));
    return (event) => {
      const text = textOf(event);
      if (text !== undefined) print(`${clock.monotonicMs().toFixed(3).padStart(14)} ms  ${text}`);
    };
  };
}

function textOf(event: SimulationEvent): string | undefined {
  switch (event.type) {
    case "call started":
      return `call of ${event.call.projectId} starts`;
    case "call succeeded":
      return `call of ${event.call.projectId} succeeds`;
    case "call failed":
      return `call of ${event.call.projectId} fails: ${String(event.error)}`;
    case "attempt started": {
      const { operation, number, limit } = event.attempt;
      return `  request ${operation.number}, attempt ${number} starts, ends by ${limit.endMs} ms`;
    }
    case "attempt ended": {
      const { operation, number, failure } = event.attempt;
      const how = failure === undefined ? "succeeds" : "fails";
      return `  request ${operation.number}, attempt ${number} ${how}`;
    }
    case "request sent": {
      const { kind, path, token, trouble = "no trouble" } = event.request;
      return `    ${kind} ${path} ${token} is sent, ${trouble}`;
    }
    case "request ended": {
      const { kind, path, token, status = "no response" } = event.request;
      return `    ${kind} ${path} ${token} ends: ${status}`;
    }
    case "token request started":
      return `  ${event.request.kind} starts`;
    case "token request ended":
      return `  ${event.request.kind} ends: ${event.request.tokenSet?.accessToken ?? "no token"}`;
    case "unhandled rejection":
      return `unhandled rejection: ${String(event.error)}`;
    case "disturbance":
      return `${event.disturbance.name} (${event.disturbance.ms} ms)`;
    case "all calls settled":
    case "end":
      return event.type;
  }
}
