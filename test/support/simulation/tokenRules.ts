import type { Operation } from "./events.js";
import type { Rules } from "./world.js";

const rejectionLastsMs = 60_000;

/** Rules about the use of tokens and of the password. */
export const tokenRules: Rules = {
  "at most one sign-in or refresh runs at a time": (_world, violated) => {
    let running = 0;
    return (event) => {
      if (event.type === "token request ended") running--;
      if (event.type === "token request started" && ++running > 1) {
        violated(`${running} run at the same time`);
      }
    };
  },

  "a refresh token is used at most once": (_world, violated) => {
    const used = new Set<string>();
    return (event) => {
      if (event.type !== "request sent" || event.request.kind !== "refresh") return;
      const { token } = event.request;
      if (used.has(token)) violated(`${token} is used again`);
      used.add(token);
    };
  },

  // Until then it may be sent again. After a 401 to a new token, the next read tries that token first.
  "a rejected access token is not sent again once it was replaced": (_world, violated) => {
    const rejected = new Set<string>();
    let newest: string | undefined;
    return (event) => {
      if (event.type === "token request ended") {
        newest = event.request.tokenSet?.accessToken ?? newest;
      }
      if (event.type === "request ended" && event.request.status === 401) {
        rejected.add(event.request.token);
      }
      if (event.type === "request sent" && event.request.kind === "read") {
        const { token, path } = event.request;
        if (rejected.has(token) && token !== newest) {
          violated(`${token} is sent again, for ${path}`);
        }
      }
    };
  },

  "for 60 s after a rejected password, no sign-in starts": ({ clock }, violated) => {
    let rejectedMs: number | undefined;
    // A sign-in that started late enough may be retried.
    let allowed: Operation | undefined;
    return (event) => {
      if (event.type !== "request sent" && event.type !== "request ended") return;
      const { kind, status, attempt } = event.request;
      if (kind !== "password") return;
      const nowMs = clock.monotonicMs();
      if (event.type === "request ended") {
        if (status !== 400) return;
        rejectedMs = nowMs;
        allowed = undefined;
      } else if (
        rejectedMs !== undefined &&
        (allowed === undefined || attempt?.operation !== allowed)
      ) {
        const ageMs = nowMs - rejectedMs;
        if (ageMs < rejectionLastsMs) violated(`it is sent again after ${ageMs} ms`);
        else allowed = attempt?.operation;
      }
    };
  },

  "at most ten rejected tokens a minute are replaced with the password": (
    { clock, plan },
    violated,
  ) => {
    const rejected = new Set<string>();
    let newest: string | undefined;
    // The client counts the age of a token from the start of its request.
    let started: readonly number[] = [];
    let startOfNewest: readonly number[] = [];
    let replacements: number[] = [];
    const times = (): number[] => [clock.monotonicMs(), clock.wallMs()];
    const { lifetimeMs } = plan.tokens;
    const usedForMs = lifetimeMs - Math.min(2_000, lifetimeMs / 10);
    const isOld = (): boolean =>
      times().some((ms, index) => ms - (startOfNewest[index] ?? 0) >= usedForMs);
    return (event) => {
      const nowMs = clock.monotonicMs();
      if (event.type === "request ended" && event.request.status === 401) {
        rejected.add(event.request.token);
      }
      if (event.type === "token request ended" && event.request.tokenSet !== undefined) {
        newest = event.request.tokenSet.accessToken;
        startOfNewest = started;
      }
      if (event.type !== "token request started") return;
      started = times();
      if (event.request.kind !== "password") return;
      if (newest === undefined || !rejected.has(newest) || isOld()) return;
      replacements = [...replacements.filter((ms) => nowMs - ms < 60_000), nowMs];
      if (replacements.length > 10) violated(`${replacements.length} in a minute`);
    };
  },
};
