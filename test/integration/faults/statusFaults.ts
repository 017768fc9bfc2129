/* Statuses other than 200. */
import { type Fault, invalidResponse } from "./fault.js";
import { once, status } from "./responses.js";

const noGzip = { "content-encoding": "gzip" };
const passed = new Date(Date.now() - 1_000).toUTCString();
const rejection = '{"error":"invalid_grant","error_description":"Invalid user credentials"}';

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
    outcome: { signIn: "1: LOGIN_RESPONSE_INVALID", reads: "2: success" },
  },
  {
    name: "status 401 always",
    respond: status(401, { "www-authenticate": "Bearer" }),
    outcome: { signIn: "1: LOGIN_RESPONSE_INVALID", reads: "2: TOKEN_REFUSED" },
  },
  {
    name: "status 401 with an OAuth error",
    respond: status(401, {}, rejection),
    outcome: { signIn: "1: LOGIN_REJECTED", reads: "2: TOKEN_REFUSED" },
  },
  {
    name: "status 401 once, whose body is no gzip",
    respond: once(status(401, noGzip)),
    outcome: { signIn: "1: LOGIN_RESPONSE_INVALID", reads: "2: success" },
  },
  {
    name: "status 403",
    respond: status(403),
    outcome: { signIn: "1: LOGIN_RESPONSE_INVALID", reads: "1: FORBIDDEN" },
  },
  {
    name: "status 404",
    respond: status(404),
    outcome: { signIn: "1: LOGIN_RESPONSE_INVALID", reads: "1: NOT_FOUND" },
  },
  { name: "status 407", respond: status(407), outcome: invalidResponse },
  {
    name: "status 408",
    respond: status(408),
    outcome: { signIn: "1: LOGIN_UNAVAILABLE", reads: "3: TIMEOUT" },
  },
  {
    name: "status 429 once, with Retry-After in seconds",
    respond: once(status(429, { "retry-after": "0" })),
    outcome: { signIn: "2: success", reads: "2: success" },
  },
  {
    name: "status 429 once, with Retry-After as a date",
    respond: once(status(429, { "retry-after": passed })),
    outcome: { signIn: "2: success", reads: "2: success" },
  },
  {
    name: "status 503 once",
    respond: once(status(503)),
    outcome: { signIn: "2: success", reads: "2: success" },
  },
  {
    name: "status 429 with a Retry-After of two minutes",
    respond: status(429, { "retry-after": "120" }),
    outcome: { signIn: "1: LOGIN_UNAVAILABLE", reads: "1: RATE_LIMITED" },
  },
  {
    name: "status 500",
    respond: status(500),
    outcome: { signIn: "1: LOGIN_UNAVAILABLE", reads: "3: SERVICE_UNAVAILABLE" },
  },
  {
    name: "status 501",
    respond: status(501),
    outcome: { signIn: "1: LOGIN_UNAVAILABLE", reads: "1: SERVICE_UNAVAILABLE" },
  },
  {
    name: "status 503 always",
    respond: status(503),
    outcome: { signIn: "3: LOGIN_UNAVAILABLE", reads: "3: SERVICE_UNAVAILABLE" },
  },
  {
    name: "status 503 always, whose body is no gzip",
    respond: status(503, noGzip),
    outcome: { signIn: "3: LOGIN_UNAVAILABLE", reads: "3: SERVICE_UNAVAILABLE" },
  },
];
