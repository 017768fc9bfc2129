import assert from "node:assert/strict";
import type { ProjectServiceError, ProjectServiceErrorCode } from "../../provider/errors.js";
import {
  errorOfLoginPage,
  errorOfLoginStatus,
  errorOfOAuth,
  errorOfStatus,
  isOAuthErrorCode,
  translateError,
  type Undertaking,
} from "../../provider/translateError.js";
import type { TimeLimit } from "../../provider/timeLimits.js";
import {
  TimeoutFault,
  TransportFault,
  type TransportFaultKind,
} from "../../provider/transportFaults.js";
import { InvalidAnswer } from "../../provider/validate.js";

const reading: Undertaking = {
  doing: "Reading project p-1",
  url: "https://api.example.com/projects/p-1?token=c4nary",
  addressKey: "baseUrl",
  projectId: "p-1",
};
const listing: Undertaking = { ...reading, doing: "Listing projects", projectId: undefined };
const signingIn: Undertaking = {
  doing: "Signing in",
  url: "https://login.example.com/token?user=c4nary",
  addressKey: "authUrl",
};

const fault = (kind: TransportFaultKind, code: string, undertaking = reading) =>
  translateError(new TransportFault(kind, code), undertaking);
const proxyFault = (code: string) =>
  translateError(new TransportFault("proxy", code, "proxy:3128"), reading);
const timeout = (of: TimeLimit["of"], durationMs: number) =>
  translateError(new TimeoutFault({ of, durationMs, endMs: 0 }), reading);
const oauth = (error: string) => errorOfOAuth({ status: 400, error }, signingIn);
const described = (error_description: string) =>
  errorOfOAuth({ status: 400, error: "invalid_grant", error_description }, signingIn);

type Expected = [() => ProjectServiceError, ProjectServiceErrorCode, number | undefined, RegExp];

const expected: Record<string, Expected> = {
  "a refused token": [
    () => errorOfStatus(401, reading),
    "TOKEN_REFUSED",
    401,
    /just issued.*clientId/,
  ],
  "a forbidden project": [() => errorOfStatus(403, reading), "FORBIDDEN", 403, /403.*this project/],
  "a forbidden list": [() => errorOfStatus(403, listing), "FORBIDDEN", 403, /access to projects/],
  "a missing project": [() => errorOfStatus(404, reading), "NOT_FOUND", 404, /404.*projectId/],
  "a missing list": [
    () => errorOfStatus(404, listing),
    "NOT_FOUND",
    404,
    /no project list.*baseUrl/,
  ],
  "a server's timeout": [() => errorOfStatus(408, reading), "TIMEOUT", 408, /answered 408/],
  "a rate limit": [() => errorOfStatus(429, reading), "RATE_LIMITED", 429, /maxConcurrency/],
  "an outage": [
    () => errorOfStatus(500, reading),
    "SERVICE_UNAVAILABLE",
    500,
    /answered 500.*later/,
  ],
  "a bad request": [
    () => errorOfStatus(400, reading),
    "RESPONSE_INVALID",
    400,
    /not document.*baseUrl/,
  ],
  "a redirect": [
    () => errorOfStatus(302, reading),
    "RESPONSE_INVALID",
    302,
    /redirect.*Set baseUrl/,
  ],

  "a sign-in's timeout": [
    () => errorOfLoginStatus(408, signingIn),
    "LOGIN_UNAVAILABLE",
    408,
    /later/,
  ],
  "a sign-in's outage": [
    () => errorOfLoginStatus(500, signingIn),
    "LOGIN_UNAVAILABLE",
    500,
    /later/,
  ],
  "a sign-in's page": [
    () => errorOfLoginPage(200, signingIn),
    "LOGIN_RESPONSE_INVALID",
    200,
    /JSON/,
  ],

  "a wrong password": [
    () => described("Invalid"),
    "LOGIN_REJECTED",
    400,
    /Check username and password/,
  ],
  "a disabled user": [() => described("Account disabled"), "LOGIN_REJECTED", 400, /enabled/],
  "an unfinished user": [() => described("Not fully set up"), "LOGIN_REJECTED", 400, /browser/],
  "a wrong client": [() => oauth("invalid_client"), "LOGIN_REJECTED", 400, /clientSecret/],
  "a client without the grant": [
    () => oauth("unauthorized_client"),
    "LOGIN_REJECTED",
    400,
    /direct/,
  ],
  "a realm without it": [
    () => oauth("unsupported_grant_type"),
    "LOGIN_REJECTED",
    400,
    /realm.*direct/,
  ],
  "a wrong scope": [() => oauth("invalid_scope"), "LOGIN_REJECTED", 400, /Check scope/],
  "a denied access": [() => oauth("access_denied"), "LOGIN_REJECTED", 400, /username and clientId/],
  "a rejected sign-in": [() => oauth("invalid_request"), "LOGIN_REJECTED", 400, /realm, clientId/],
  "an unknown OAuth error": [() => oauth("c4nary"), "LOGIN_REJECTED", 400, /realm, clientId/],
  "a wrong realm": [() => oauth("Realm does not exist"), "LOGIN_REJECTED", 400, /Check realm/],

  "an attempt that takes too long": [
    () => timeout("attempt", 7_000),
    "TIMEOUT",
    undefined,
    /no complete response within 7 s\. .*baseUrl.* or raise timeoutSeconds\./,
  ],
  "attempts that take too long": [
    () => timeout("request", 60_000),
    "TIMEOUT",
    undefined,
    /within 60 s, the limit for all attempts.*baseUrl.* timeoutSeconds to more than 60/,
  ],
  "a list that takes too long": [
    () => timeout("list", 300_000),
    "TIMEOUT",
    undefined,
    /within 300 s, the limit for a list.*baseUrl.* timeoutSeconds to more than 300/,
  ],
  "no answer": [
    () => fault("network", "X"),
    "UNREACHABLE",
    undefined,
    /api\.example\.com \(X\).*baseUrl/,
  ],
  "a refusing proxy": [
    () => proxyFault("407"),
    "UNREACHABLE",
    407,
    /the proxy proxy:3128 refused api\.example\.com \(407\)\. Check HTTPS_PROXY.*user and password/,
  ],
  "a proxy that cannot be reached": [
    () => proxyFault("ECONNREFUSED"),
    "UNREACHABLE",
    undefined,
    /no tunnel through the proxy proxy:3128 \(ECONNREFUSED\)\. Check HTTPS_PROXY/,
  ],
  "a proxy that is not trusted": [
    () => proxyFault("SELF_SIGNED_CERT_IN_CHAIN"),
    "TLS_FAILED",
    undefined,
    /no secure connection to the proxy proxy:3128 .*set caCertificate/,
  ],
  "an expired certificate": [
    () => fault("tls", "CERT_HAS_EXPIRED"),
    "TLS_FAILED",
    undefined,
    /api\.example\.com \(CERT_HAS_EXPIRED\).*renewed/,
  ],
  "another host's certificate": [
    () => fault("tls", "ERR_TLS_CERT_ALTNAME_INVALID"),
    "TLS_FAILED",
    undefined,
    /another host.*baseUrl/,
  ],
  "no TLS": [() => fault("tls", "EPROTO"), "TLS_FAILED", undefined, /not speak TLS.*baseUrl/],
  "no TLS at all": [
    () => fault("tls", "ERR_SSL_WRONG_VERSION_NUMBER"),
    "TLS_FAILED",
    undefined,
    /not speak TLS.*baseUrl/,
  ],
  "an unknown authority": [() => fault("tls", "X"), "TLS_FAILED", undefined, /caCertificate/],
  "a large answer": [() => fault("tooLarge", "X"), "RESPONSE_INVALID", undefined, /large.*baseUrl/],
  "a broken answer": [
    () => fault("malformed", "X"),
    "RESPONSE_INVALID",
    undefined,
    /\(X\).*baseUrl/,
  ],
  "a broken reply": [
    () => fault("malformed", "X", signingIn),
    "LOGIN_RESPONSE_INVALID",
    undefined,
    /\(X\).*authUrl/,
  ],
  "an invalid answer": [
    () => translateError(new InvalidAnswer("name is missing"), reading),
    "RESPONSE_INVALID",
    undefined,
    /name is missing\. Check that baseUrl/,
  ],
  "a fault of ours": [
    () => translateError(new RangeError("c4nary", { cause: "c4nary" }), reading),
    "RESPONSE_INVALID",
    undefined,
    /RangeError.*report it/,
  ],
  "a thrown text": [
    () => translateError("c4nary", reading),
    "RESPONSE_INVALID",
    undefined,
    /string/,
  ],
};

/** What was done, what went wrong, what to do about it, and the address without its query. */
const form =
  /^(Reading project p-1|Listing projects|Signing in) failed: [a-zA-Z].*\w\)?\. [A-Z].*\w\. Asked: https:\/\/(api\.example\.com\/projects\/p-1|login\.example\.com\/token)$/;

describe("an error's message", () => {
  for (const [what, [make, code, status, says]] of Object.entries(expected)) {
    it(`names ${what} and what to do about it, in the usual form`, () => {
      const error = make();
      assert.equal(error.code, code);
      assert.equal(error.status, status);
      assert.match(error.message, says);
      assert.match(error.message, form);
      assert.doesNotMatch(error.message, /c4nary|undefined/);
    });
  }
});

describe("a status of the service", () => {
  it("is a redirect if it comes with an address", () => {
    const isRedirect = (status: number) =>
      errorOfStatus(status, reading).message.includes("redirect");
    const statuses = Array.from({ length: 101 }, (_, index) => 299 + index);
    assert.deepEqual(statuses.filter(isRedirect), [301, 302, 303, 307, 308]);
  });
});

describe("an OAuth error", () => {
  it("is one of those we know, and no property that every object has", () => {
    assert.deepEqual(["invalid_grant", "toString"].map(isOAuthErrorCode), [true, false]);
  });
});
