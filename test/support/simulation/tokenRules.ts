import type { Operation } from "./events.js";
import type { Rules } from "./rule.js";

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

  "for 60 s after a rejected password, by the clock on which more time has passed, no sign-in starts":
    ({ clock }, violated) => {
      let rejection: { monotonicMs: number; wallMs: number } | undefined;
      // A sign-in that started late enough may be retried, even if the wall clock then jumps back.
      let allowed: Operation | undefined;
      return (event) => {
        if (event.type !== "request sent" && event.type !== "request ended") return;
        const { kind, status, attempt } = event.request;
        if (kind !== "password") return;
        const monotonicMs = clock.monotonicMs();
        const wallMs = clock.wallMs();
        if (event.type === "request ended") {
          if (status !== 400) return;
          rejection = { monotonicMs, wallMs };
          allowed = undefined;
        } else if (
          rejection !== undefined &&
          (allowed === undefined || attempt?.operation !== allowed)
        ) {
          const ageMs = Math.max(monotonicMs - rejection.monotonicMs, wallMs - rejection.wallMs);
          if (ageMs < rejectionLastsMs) violated(`it is sent again after ${ageMs} ms`);
          else allowed = attempt?.operation;
        }
      };
    },
};
