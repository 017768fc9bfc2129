import { ProjectServiceError } from "../../../provider/errors/projectServiceError.js";
import type { ProjectSummary } from "../../../provider/model/project.js";
import type { Call, TokenRequest } from "./events.js";
import type { SchedulePlan } from "./schedulePlan.js";
import { listedIds, namedId } from "./simulatedService.js";
import type { Rules } from "./world.js";

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
  if (!expectedIds(call, plan).includes(ids)) return ids;
  if ((plan.statuses[call.projectId] ?? 200) !== 200) return "a project at all";
  if (call.projectId === "name" && projects[0]?.name !== namedId(plan)) {
    return `a project that is now named ${projects[0]?.name}`;
  }
  // The service tells the time of the response in each project.
  const old = projects.find(({ domain }) => Number(domain) < call.startMs);
  return old === undefined ? undefined : `a response of ${old.domain} ms`;
}

/** A list is complete from before or from after the deletion, and never a mixture of both. */
function expectedIds({ projectId }: Call, plan: SchedulePlan): string[] {
  if (projectId === "name") return [namedId(plan)];
  if (projectId !== "list") return [projectId];
  return [false, true].map((isDeleted) => listedIds(plan, isDeleted).join());
}

function isOwnError({ projectId }: Call, error: ProjectServiceError, plan: SchedulePlan): boolean {
  const { statuses, list } = plan;
  const ownId = projectId === "name" ? namedId(plan) : projectId;
  if (error.projectId !== undefined && error.projectId !== ownId) return false;
  const usesList = projectId === "list" || projectId === "name";
  switch (error.code) {
    case "NOT_FOUND":
      return statuses[projectId] === 404 || (projectId === "name" && list.renamedAtMs < Infinity);
    case "FORBIDDEN":
      return statuses[projectId] === 403;
    case "LIST_INCOMPLETE":
      return usesList && (list.wrongTotalChance > 0 || list.deletedAtMs < Infinity);
    case "RESPONSE_INVALID":
      return false;
    default:
      return true;
  }
}
