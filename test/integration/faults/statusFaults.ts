/* Statuses other than 200. */
import { type Fault, fails, invalidResponse, ok, outcomes } from "./fault.js";
import { once, status } from "./responses.js";

export const statusFaults: readonly Fault[] = [
  { name: "status 204", respond: status(204, {}, ""), outcome: invalidResponse },
  {
    name: "status 301 to the same server",
    respond: status(301, { location: "/elsewhere" }),
    outcome: invalidResponse,
  },
  {
    name: "status 302 to another server",
    respond: status(302, { location: "http://elsewhere.invalid/" }),
    outcome: invalidResponse,
  },
  {
    name: "status 401 once",
    respond: once(status(401, { "www-authenticate": "Bearer" })),
    outcome: outcomes(fails(1, "LOGIN_RESPONSE_INVALID"), ok(2)),
  },
  {
    name: "status 401 always",
    respond: status(401, { "www-authenticate": "Bearer" }),
    outcome: outcomes(fails(1, "LOGIN_RESPONSE_INVALID"), fails(2, "TOKEN_REFUSED")),
  },
  {
    name: "status 401 with an OAuth error",
    respond: status(
      401,
      {},
      '{"error":"invalid_grant","error_description":"Invalid user credentials"}',
    ),
    outcome: outcomes(fails(1, "LOGIN_REJECTED"), fails(2, "TOKEN_REFUSED")),
  },
  {
    name: "status 403",
    respond: status(403),
    outcome: outcomes(fails(1, "LOGIN_RESPONSE_INVALID"), fails(1, "FORBIDDEN")),
  },
  {
    name: "status 404",
    respond: status(404),
    outcome: outcomes(fails(1, "LOGIN_RESPONSE_INVALID"), fails(1, "NOT_FOUND")),
  },
  {
    name: "status 407",
    respond: status(407),
    outcome: outcomes(fails(1, "LOGIN_RESPONSE_INVALID"), fails(1, "RESPONSE_INVALID")),
  },
  {
    name: "status 408",
    respond: status(408),
    outcome: outcomes(fails(1, "LOGIN_UNAVAILABLE"), fails(3, "TIMEOUT")),
  },
  {
    name: "status 429",
    respond: status(429),
    outcome: outcomes(fails(3, "LOGIN_UNAVAILABLE"), fails(3, "RATE_LIMITED")),
  },
  {
    name: "status 429 once, with Retry-After in seconds",
    respond: once(status(429, { "retry-after": "0" })),
    outcome: outcomes(ok(2), ok(2)),
  },
  {
    name: "status 429 once, with Retry-After as a date",
    respond: once(status(429, { "retry-after": new Date(Date.now() - 1_000).toUTCString() })),
    outcome: outcomes(ok(2), ok(2)),
  },
  {
    name: "status 429 with a Retry-After of two minutes",
    respond: status(429, { "retry-after": "120" }),
    outcome: outcomes(fails(1, "LOGIN_UNAVAILABLE"), fails(1, "RATE_LIMITED")),
  },
  {
    name: "status 500",
    respond: status(500),
    outcome: outcomes(fails(1, "LOGIN_UNAVAILABLE"), fails(3, "SERVICE_UNAVAILABLE")),
  },
  {
    name: "status 501",
    respond: status(501),
    outcome: outcomes(fails(1, "LOGIN_UNAVAILABLE"), fails(1, "SERVICE_UNAVAILABLE")),
  },
  { name: "status 503 once", respond: once(status(503)), outcome: outcomes(ok(2), ok(2)) },
  {
    name: "status 503 always",
    respond: status(503),
    outcome: outcomes(fails(3, "LOGIN_UNAVAILABLE"), fails(3, "SERVICE_UNAVAILABLE")),
  },
];
