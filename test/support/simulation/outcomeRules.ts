import { ProjectServiceError } from "../../../provider/errors/projectServiceError.js";
import type { ProjectSummary } from "../../../provider/model/project.js";
import type { Call, TokenRequest } from "./events.js";
import type { Rules } from "./rule.js";
import type { SchedulePlan } from "./schedulePlan.js";
import { projectsPerPage } from "./simulatedService.js";

/** Rules about the ends of calls, and about the time after the last one. */
export const outcomeRules: Rules = {
  "every call settles, as a result or as a ProjectServiceError": (_world, violated) => (event) => {
    if (event.type === "call failed" && !(event.error instanceof ProjectServiceError)) {
      violated(`${event.call.projectId} fails with ${String(event.error)}`);
    }
    if (event.type === "end" && event.pending.length > 0) {
      violated(`${event.pending.join()} stay pending`);
    }
  },

  "no rejection stays unhandled": (_world, violated) => (event) => {
    if (event.type === "unhandled rejection") violated(String(event.error));
  },

  "after the last call nothing goes on except a renewal that was already running": (
    { clientClock },
    violated,
  ) => {
    let runningReads = 0;
    const tokenRequests = new Set<TokenRequest>();
    let isOver = false;
    let allowedSignIns = 0;
    return (event) => {
      switch (event.type) {
        case "request sent":
          if (event.request.kind !== "read") return;
          runningReads++;
          if (isOver) violated(`${event.request.path} is sent`);
          return;
        case "request ended":
          if (event.request.kind === "read") runningReads--;
          return;
        case "token request started":
          tokenRequests.add(event.request);
          if (!isOver || (event.request.kind === "password" && allowedSignIns-- > 0)) return;
          return violated(`a ${event.request.kind} request starts`);
        case "token request ended":
          tokenRequests.delete(event.request);
          return;
        case "all calls settled":
          isOver = true;
          // A renewal whose refresh fails continues with a sign-in.
          for (const { kind } of tokenRequests) if (kind === "refresh") allowedSignIns++;
          if (runningReads > 0) violated(`${runningReads} reads are running`);
          return;
        case "client idle":
          if (isOver && tokenRequests.size === 0 && clientClock.runningTimers > 0) {
            violated(`${clientClock.runningTimers} timers keep the process alive`);
          }
      }
    };
  },

  "no call gets the response of another project, or one from before the call": (
    { plan },
    violated,
  ) => {
    return (event) => {
      if (event.type === "call succeeded") {
        const wrong = problemOfResult(event.call, event.value, plan);
        if (wrong !== undefined) violated(`${event.call.projectId} gets ${wrong}`);
      }
      if (event.type === "call failed" && event.error instanceof ProjectServiceError) {
        if (!isOwnError(event.call, event.error, plan)) {
          violated(`${event.call.projectId} fails with ${event.error.message}`);
        }
      }
    };
  },
};

function problemOfResult(call: Call, result: unknown, plan: SchedulePlan): string | undefined {
  const projects = (call.projectId === "list" ? result : [result]) as readonly ProjectSummary[];
  const ids = projects.map(({ projectId }) => projectId).join();
  const expected =
    call.projectId === "list"
      ? Array.from({ length: plan.list.pages * projectsPerPage }, (_, n) => `listed-${n}`).join()
      : call.projectId;
  if (ids !== expected) return ids;
  if (call.projectId !== "list" && plan.statuses[call.projectId] !== 200) return "a project at all";
  // The service names each project by the time of the response.
  const old = projects.find(({ name }) => Number(name) < call.startMs);
  return old === undefined ? undefined : `a response of ${old.name} ms`;
}

function isOwnError(
  { projectId }: Call,
  error: ProjectServiceError,
  { statuses, list }: SchedulePlan,
): boolean {
  if (error.projectId !== undefined && error.projectId !== projectId) return false;
  switch (error.code) {
    case "NOT_FOUND":
      return statuses[projectId] === 404;
    case "FORBIDDEN":
      return statuses[projectId] === 403;
    case "LIST_INCOMPLETE":
      return projectId === "list" && list.wrongTotalChance > 0;
    case "RESPONSE_INVALID":
      return false;
    default:
      return true;
  }
}
