/* Statuses other than 200. */
import { type Fault, faults, invalidResponse } from "./fault.js";
import { once, status } from "./responses.js";

export const statusFaults: readonly Fault[] = [
  ...faults(invalidResponse, {
    "status 204": status(204, {}, ""),
    "status 301 to the same server": status(301, { location: "/elsewhere" }),
    "status 302 to another server": status(302, { location: "http://elsewhere.invalid/" }),
  }),
  ...faults(["1: LOGIN_RESPONSE_INVALID", "2"], {
    "status 401 once": once(status(401, { "www-authenticate": "Bearer" })),
  }),
  ...faults(["1: LOGIN_RESPONSE_INVALID", "2: TOKEN_REFUSED"], {
    "status 401 always": status(401, { "www-authenticate": "Bearer" }),
  }),
  ...faults(["1: LOGIN_REJECTED", "2: TOKEN_REFUSED"], {
    "status 401 with an OAuth error": status(
      401,
      {},
      '{"error":"invalid_grant","error_description":"Invalid user credentials"}',
    ),
  }),
  ...faults(["1: LOGIN_RESPONSE_INVALID", "2"], {
    "status 401 once, whose body is no gzip": once(status(401, { "content-encoding": "gzip" })),
  }),
  ...faults(["1: LOGIN_RESPONSE_INVALID", "1: FORBIDDEN"], {
    "status 403": status(403),
  }),
  ...faults(["1: LOGIN_RESPONSE_INVALID", "1: NOT_FOUND"], {
    "status 404": status(404),
  }),
  ...faults(["1: LOGIN_RESPONSE_INVALID", "1: RESPONSE_INVALID"], {
    "status 407": status(407),
  }),
  ...faults(["1: LOGIN_UNAVAILABLE", "3: TIMEOUT"], {
    "status 408": status(408),
  }),
  ...faults(["2", "2"], {
    "status 429 once, with Retry-After in seconds": once(status(429, { "retry-after": "0" })),
    "status 429 once, with Retry-After as a date": once(
      status(429, { "retry-after": new Date(Date.now() - 1_000).toUTCString() }),
    ),
    "status 503 once": once(status(503)),
  }),
  ...faults(["1: LOGIN_UNAVAILABLE", "1: RATE_LIMITED"], {
    "status 429 with a Retry-After of two minutes": status(429, { "retry-after": "120" }),
  }),
  ...faults(["1: LOGIN_UNAVAILABLE", "3: SERVICE_UNAVAILABLE"], {
    "status 500": status(500),
  }),
  ...faults(["1: LOGIN_UNAVAILABLE", "1: SERVICE_UNAVAILABLE"], {
    "status 501": status(501),
  }),
  ...faults(["3: LOGIN_UNAVAILABLE", "3: SERVICE_UNAVAILABLE"], {
    "status 503 always": status(503),
    "status 503 always, whose body is no gzip": status(503, { "content-encoding": "gzip" }),
  }),
];
