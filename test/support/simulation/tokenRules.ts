import type { Rules } from "./rule.js";

const rejectionLastsMs = 60_000;

/** Rules about the use of tokens and of the password. */
export const tokenRules: Rules = {
  "at most one sign-in or renewal is under way": (_world, violated) => {
    let underWay = 0;
    return (event) => {
      if (event.type === "token request ended") underWay--;
      if (event.type === "token request started" && ++underWay > 1) {
        violated(`${underWay} are under way`);
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

  "a rejected password is not sent again for 60 s, by the clock on which more time has passed": (
    { clock },
    violated,
  ) => {
    let rejection: { monotonicMs: number; wallMs: number } | undefined;
    return (event) => {
      if (event.type !== "request sent" && event.type !== "request ended") return;
      const { kind, status } = event.request;
      if (kind !== "password") return;
      const monotonicMs = clock.monotonicMs();
      const wallMs = clock.wallMs();
      if (event.type === "request ended") {
        if (status === 400) rejection = { monotonicMs, wallMs };
      } else if (rejection !== undefined) {
        const ageMs = Math.max(monotonicMs - rejection.monotonicMs, wallMs - rejection.wallMs);
        if (ageMs < rejectionLastsMs) violated(`it is sent again after ${ageMs} ms`);
      }
    };
  },
};
