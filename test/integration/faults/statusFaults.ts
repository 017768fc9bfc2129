/* Statuses other than 200. */
import { ends, type Fault, faultsOf, invalidResponse } from "./fault.js";
import { once, status } from "./responses.js";

const bearer = { "www-authenticate": "Bearer" };
const claimsGzip = { "content-encoding": "gzip" };
const passed = new Date(Date.now() - 1_000).toUTCString();
const rejection = '{"error":"invalid_grant","error_description":"Invalid user credentials"}';

// A sign-in is repeated only if the password was certainly not checked: after 429 or 503, or without a connection.
const retried = ends("2: success", "2: success");
const unavailable = ends("6: LOGIN_UNAVAILABLE", "5: SERVICE_UNAVAILABLE");

export const statusFaults: readonly Fault[] = faultsOf([
  ["status 204", status(204, {}, ""), invalidResponse],
  ["status 301 to the same server", status(301, { location: "/elsewhere" }), invalidResponse],
  [
    "status 302 to another server",
    status(302, { location: "http://elsewhere.invalid/" }),
    invalidResponse,
  ],
  ["status 304", status(304, {}, ""), invalidResponse],
  ["status 308", status(308, { location: "/elsewhere" }), invalidResponse],
  ["status 400", status(400), invalidResponse],
  ["status 401 once", once(status(401, bearer)), ends("1: LOGIN_RESPONSE_INVALID", "2: success")],
  ["status 401 always", status(401, bearer), ends("1: LOGIN_RESPONSE_INVALID", "5: TOKEN_REFUSED")],
  [
    "status 401 with an OAuth error",
    status(401, {}, rejection),
    ends("2: LOGIN_REJECTED", "5: TOKEN_REFUSED"),
  ],
  [
    "status 401 once, whose body is no gzip",
    once(status(401, claimsGzip)),
    ends("1: LOGIN_RESPONSE_INVALID", "2: success"),
  ],
  ["status 403", status(403), ends("1: LOGIN_RESPONSE_INVALID", "1: FORBIDDEN")],
  // A list that is not there does not say that a project is gone.
  [
    "status 404",
    status(404),
    {
      signIn: "1: LOGIN_RESPONSE_INVALID",
      list: "1: RESPONSE_INVALID",
      read: "1: NOT_FOUND",
    },
  ],
  ["status 407", status(407), invalidResponse],
  ["status 408", status(408), ends("1: LOGIN_UNAVAILABLE", "5: TIMEOUT")],
  [
    "status 429 once, with Retry-After in seconds",
    once(status(429, { "retry-after": "0" })),
    retried,
  ],
  [
    "status 429 once, with Retry-After as a date",
    once(status(429, { "retry-after": passed })),
    retried,
  ],
  ["status 503 once", once(status(503)), retried],
  [
    "status 429 with a Retry-After of three minutes",
    status(429, { "retry-after": "180" }),
    ends("1: LOGIN_UNAVAILABLE", "1: RATE_LIMITED"),
  ],
  ["status 500", status(500), ends("1: LOGIN_UNAVAILABLE", "5: SERVICE_UNAVAILABLE")],
  ["status 501", status(501), ends("1: LOGIN_UNAVAILABLE", "1: SERVICE_UNAVAILABLE")],
  ["status 503 always", status(503), unavailable],
]);
