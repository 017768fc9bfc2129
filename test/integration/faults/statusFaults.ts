/* Statuses other than 200. */
import { type Fault, faultsOf } from "./fault.js";
import { once, status } from "./responses.js";

const bearer = { "www-authenticate": "Bearer" };
const claimsGzip = { "content-encoding": "gzip" };
const passed = new Date(Date.now() - 1_000).toUTCString();
const rejection = '{"error":"invalid_grant","error_description":"Invalid user credentials"}';

export const statusFaults: readonly Fault[] = faultsOf({
  "status 204": status(204, {}, ""),
  "status 301 to the same server": status(301, { location: "/elsewhere" }),
  "status 302 to another server": status(302, { location: "http://elsewhere.invalid/" }),
  "status 304": status(304, {}, ""),
  "status 308": status(308, { location: "/elsewhere" }),
  "status 400": status(400),
  "status 401 once": once(status(401, bearer)),
  "status 401 always": status(401, bearer),
  "status 401 with an OAuth error": status(401, {}, rejection),
  "status 401 once, whose body is no gzip": once(status(401, claimsGzip)),
  "status 403": status(403),
  "status 404": status(404),
  "status 407": status(407),
  "status 408": status(408),
  "status 431": status(431),
  "status 429 once, with Retry-After in seconds": once(status(429, { "retry-after": "0" })),
  "status 429 once, with Retry-After as a date": once(status(429, { "retry-after": passed })),
  "status 429 with a Retry-After of three minutes": status(429, { "retry-after": "180" }),
  "status 403 with a Retry-After of three minutes": status(403, { "retry-after": "180" }),
  "status 500": status(500),
  "status 501": status(501),
  "status 503 once": once(status(503)),
  "status 503 always": status(503),
});
