import { AuthenticatedClient } from "../../../provider/client/authenticatedClient.js";
import { ProjectApi } from "../../../provider/client/projectApi.js";
import { ProjectService } from "../../../provider/client/projectService.js";
import { timeLimitsOf } from "../../../provider/http/limits.js";
import { AccessTokens } from "../../../provider/auth/accessTokens.js";
import { TokenCache } from "../../../provider/auth/tokenCache.js";
import { withoutCredentials } from "../../../provider/wire/mapping.js";
import { settingsOf } from "../settings.js";
import type { Call, Observer, SimulationEvent } from "./events.js";
import { limitRules } from "./limitRules.js";
import { ObservedRetry } from "./observedRetry.js";
import { outcomeRules } from "./outcomeRules.js";
import { Random } from "./random.js";
import { type Arrival, drawPlan } from "./schedulePlan.js";
import { CountingClock, SimulatedClock } from "./simulatedClock.js";
import { namedId, SimulatedService } from "./simulatedService.js";
import { createSimulatedTokenEndpoint } from "./simulatedTokenEndpoint.js";
import { createSimulatedTransport } from "./simulatedTransport.js";
import { tokenRules } from "./tokenRules.js";
import type { ObservedWorld, Rules, World } from "./world.js";

export const rules: Rules = { ...tokenRules, ...limitRules, ...outcomeRules };

/** A schedule with more timers counts as endless. */
const maxTimers = 20_000;

const settings = settingsOf({
  baseUrl: "https://projects.example.com",
  authUrl: "https://login.example.com",
  realm: "r",
  clientId: "c",
  username: "u",
  password: "p",
});

/**
 * Runs the client through one schedule, without real time. Seed and number determine all of it.
 *
 * @param watch returns an observer, which gets each event before the rules do.
 * @param onViolation gets the name of a rule and how the schedule broke it.
 */
export async function runSchedule(
  seed: number,
  number: number,
  watch: (world: ObservedWorld) => Observer,
  onViolation: (rule: string, how: string) => void,
): Promise<void> {
  const random = new Random(seed, number);
  const plan = drawPlan(random);
  const clock = new SimulatedClock();
  const observed = {
    plan,
    limits: timeLimitsOf(plan),
    clock,
    clientClock: new CountingClock(clock),
  };
  const observers = [
    watch(observed),
    ...Object.entries(rules).map(([name, rule]) => rule(observed, (how) => onViolation(name, how))),
  ];
  const observer: Observer = (event) => {
    for (const observe of observers) observe(event);
  };
  const world: World = { ...observed, random, observer };
  const service = new SimulatedService(world);
  for (const disturbance of plan.disturbances) {
    clock.startTimer(disturbance.atMs, () => {
      observer({ type: "disturbance", disturbance });
      service.disturb(disturbance);
    });
  }
  const onUnhandled = (error: unknown): void => observer({ type: "unhandled rejection", error });
  process.on("unhandledRejection", onUnhandled);
  try {
    await runToTheEnd(world, startCalls(world, createClients(world, service)));
  } finally {
    process.off("unhandledRejection", onUnhandled);
  }
}

/** Creates the clients of one identity, which share its token cache. */
function createClients(world: World, service: SimulatedService): readonly ProjectService[] {
  const cache = new TokenCache(world.clientClock);
  return Array.from({ length: world.plan.clients }, () => createClient(world, service, cache));
}

function createClient(world: World, service: SimulatedService, cache: TokenCache): ProjectService {
  const { clock, clientClock, limits, observer, plan, random } = world;
  const retry = new ObservedRetry(clock.monotonicMs, observer, limits, () => {}, {
    clock: clientClock,
    random: () => random.fraction(),
  });
  const tokens = new AccessTokens(cache, createSimulatedTokenEndpoint(world, service, retry));
  const { maxConcurrency, timeoutSeconds } = plan;
  const ofClient = { ...settings, maxConcurrency, timeoutSeconds };
  const transport = createSimulatedTransport(world, service, retry);
  const client = new AuthenticatedClient(ofClient, tokens, retry, transport, clientClock);
  const api = new ProjectApi(client, ofClient.apiUrl, limits.listMs);
  return new ProjectService(ofClient, tokens, api);
}

/** Returns the calls that have not settled or not started. */
function startCalls(
  { clock, observer, plan }: World,
  clients: readonly ProjectService[],
): ReadonlySet<Arrival> {
  const pending = new Set(plan.arrivals);
  for (const arrival of plan.arrivals) {
    const { projectId } = arrival;
    const client = clients[arrival.client] as ProjectService;
    clock.startTimer(arrival.atMs, () => {
      const call: Call = { projectId, startMs: clock.monotonicMs() };
      observer({ type: "call started", call });
      const reference = projectId === "name" ? { name: namedId(plan) } : { projectId };
      const result =
        projectId === "list"
          ? client.listProjects()
          : client.readProject(reference, withoutCredentials);
      const settled = (event: SimulationEvent): void => {
        pending.delete(arrival);
        observer(event);
      };
      result.then(
        (value: unknown) => settled({ type: "call succeeded", call, value }),
        (error: unknown) => settled({ type: "call failed", call, error }),
      );
    });
  }
  return pending;
}

async function runToTheEnd(
  { clock, observer }: World,
  pending: ReadonlySet<Arrival>,
): Promise<void> {
  let timers = 0;
  let isOver = false;
  while (clock.runNext()) {
    if (++timers > maxTimers) throw new Error(`it does not end: ${maxTimers} timers have run`);
    // The client waits for timers and microtasks only. All microtasks run before an immediate.
    await new Promise((resolve) => setImmediate(resolve));
    if (!isOver && pending.size === 0) {
      isOver = true;
      observer({ type: "all calls settled" });
    }
    observer({ type: "client idle" });
  }
  observer({ type: "end", pending: [...pending].map(({ projectId }) => projectId) });
}
