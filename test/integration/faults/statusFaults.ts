/* Statuses other than 200. */
import { type FaultRow, invalidResponse } from "./fault.js";
import { once, status } from "./responses.js";

export const statusFaults: readonly FaultRow[] = [
  ["status 204", invalidResponse, status(204, {}, "")],
  ["status 301 to the same server", invalidResponse, status(301, { location: "/elsewhere" })],
  [
    "status 302 to another server",
    invalidResponse,
    status(302, { location: "http://elsewhere.invalid/" }),
  ],
  [
    "status 401 once",
    ["1: LOGIN_RESPONSE_INVALID", "2"],
    once(status(401, { "www-authenticate": "Bearer" })),
  ],
  [
    "status 401 always",
    ["1: LOGIN_RESPONSE_INVALID", "2: TOKEN_REFUSED"],
    status(401, { "www-authenticate": "Bearer" }),
  ],
  [
    "status 401 with an OAuth error",
    ["1: LOGIN_REJECTED", "2: TOKEN_REFUSED"],
    status(401, {}, '{"error":"invalid_grant","error_description":"Invalid user credentials"}'),
  ],
  ["status 403", ["1: LOGIN_RESPONSE_INVALID", "1: FORBIDDEN"], status(403)],
  ["status 404", ["1: LOGIN_RESPONSE_INVALID", "1: NOT_FOUND"], status(404)],
  ["status 407", ["1: LOGIN_RESPONSE_INVALID", "1: RESPONSE_INVALID"], status(407)],
  ["status 408", ["1: LOGIN_UNAVAILABLE", "3: TIMEOUT"], status(408)],
  ["status 429", ["3: LOGIN_UNAVAILABLE", "3: RATE_LIMITED"], status(429)],
  [
    "status 429 once, with Retry-After in seconds",
    ["2", "2"],
    once(status(429, { "retry-after": "0" })),
  ],
  [
    "status 429 once, with Retry-After as a date",
    ["2", "2"],
    once(status(429, { "retry-after": new Date(Date.now() - 1_000).toUTCString() })),
  ],
  [
    "status 429 with a Retry-After of two minutes",
    ["1: LOGIN_UNAVAILABLE", "1: RATE_LIMITED"],
    status(429, { "retry-after": "120" }),
  ],
  ["status 500", ["1: LOGIN_UNAVAILABLE", "3: SERVICE_UNAVAILABLE"], status(500)],
  ["status 501", ["1: LOGIN_UNAVAILABLE", "1: SERVICE_UNAVAILABLE"], status(501)],
  ["status 503 once", ["2", "2"], once(status(503))],
  ["status 503 always", ["3: LOGIN_UNAVAILABLE", "3: SERVICE_UNAVAILABLE"], status(503)],
];
