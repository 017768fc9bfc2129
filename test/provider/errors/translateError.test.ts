import assert from "node:assert/strict";
import type {
  ProjectServiceError,
  ProjectServiceErrorCode,
} from "../../../provider/errors/projectServiceError.js";
import { errorOfRejection, withOrigins } from "../../../provider/errors/errorOfOAuth.js";
import {
  errorOfLoginPage,
  errorOfLoginStatus,
  errorOfStatus,
} from "../../../provider/errors/errorOfStatus.js";
import {
  InvalidResponseError,
  type TimeLimitName,
  TimeoutError,
  TransportError,
  type TransportErrorKind,
} from "../../../provider/errors/internalErrors.js";
import type { RequestContext } from "../../../provider/errors/requestContext.js";
import { translateError } from "../../../provider/errors/translateError.js";
import { compiled } from "../../support/paths.js";

const reading: RequestContext = {
  operation: "Reading project p-1",
  url: "https://api.example.com/projects/p-1?token=c4nary",
  urlSetting: "baseUrl",
  projectId: "p-1",
};
const listing: RequestContext = {
  ...reading,
  operation: "Listing the projects",
  projectId: undefined,
};
const signingIn: RequestContext = {
  operation: "Signing in",
  url: "https://login.example.com/token?user=c4nary",
  urlSetting: "authUrl",
};

const transportError = (kind: TransportErrorKind, code: string, context = reading) =>
  translateError(new TransportError(kind, code), context);
const proxyError = (code: string) =>
  translateError(new TransportError("proxy", code, "proxy:3128"), reading);
const timeout = (limit: TimeLimitName, durationMs: number) =>
  translateError(new TimeoutError(limit, durationMs), reading);
const oauthError = (error: string) => rejection({ error });
const invalidGrant = (error_description: string) =>
  rejection({ error: "invalid_grant", error_description });
function rejection(json: object, status = 400): ProjectServiceError {
  return errorOfRejection(status, json, signingIn) ?? assert.fail("it is no rejection");
}

/** The message of a bug can hold a response. */
function bugWithFakeFrame(): Error {
  return new RangeError(`c4nary\n    at c4nary (${compiled("c4nary.ts")}:1:1)`);
}

type Expected = [() => ProjectServiceError, ProjectServiceErrorCode, number | undefined, RegExp];

const expected: Record<string, Expected> = {
  "a token that the service rejects": [
    () => errorOfStatus(401, reading),
    "TOKEN_REFUSED",
    401,
    /rejected a new token \(401\).*baseUrl.*clientId/,
  ],
  "a denied project": [
    () => errorOfStatus(403, reading),
    "FORBIDDEN",
    403,
    /denied access \(403\).*access to this project.*username/,
  ],
  "a denied list": [
    () => errorOfStatus(403, listing),
    "FORBIDDEN",
    403,
    /denied access \(403\).*access to projects.*username/,
  ],
  "a missing project": [
    () => errorOfStatus(404, reading),
    "NOT_FOUND",
    404,
    /status 404, not found.*projectId/,
  ],
  "a missing list": [
    () => errorOfStatus(404, listing),
    "NOT_FOUND",
    404,
    /status 404, not found.*no project list.*baseUrl/,
  ],
  "a timeout of the service": [
    () => errorOfStatus(408, reading),
    "TIMEOUT",
    408,
    /status 408.*later/,
  ],
  "a rate limit": [
    () => errorOfStatus(429, reading),
    "RATE_LIMITED",
    429,
    /status 429, too many requests.*maxConcurrency/,
  ],
  "an outage": [() => errorOfStatus(500, reading), "SERVICE_UNAVAILABLE", 500, /status 500.*later/],
  "an undocumented status": [
    () => errorOfStatus(400, reading),
    "RESPONSE_INVALID",
    400,
    /status 400, which its interface does not define.*baseUrl/,
  ],
  "a redirect": [
    () => errorOfStatus(302, reading),
    "RESPONSE_INVALID",
    302,
    /redirect \(302\), which is not followed.*Set baseUrl/,
  ],

  "a timeout of the sign-in": [
    () => errorOfLoginStatus(408, signingIn),
    "LOGIN_UNAVAILABLE",
    408,
    /later/,
  ],
  "an outage of the identity provider": [
    () => errorOfLoginStatus(500, signingIn),
    "LOGIN_UNAVAILABLE",
    500,
    /later/,
  ],
  "a web page as token response": [
    () => errorOfLoginPage(200, signingIn),
    "LOGIN_RESPONSE_INVALID",
    200,
    /JSON/,
  ],

  "a wrong password": [
    () => invalidGrant("Invalid"),
    "LOGIN_REJECTED",
    400,
    /Check username and password/,
  ],
  "a wrong password from known places": [
    () =>
      withOrigins(rejection({ error: "invalid_grant" }), {
        username: "the stack config",
        password: "the variable P",
      }) as ProjectServiceError,
    "LOGIN_REJECTED",
    400,
    /The user name comes from the stack config, the password from the variable P\. \(URL: [^)]*\)$/,
  ],
  "a wrong password from a place of which only one is known": [
    () =>
      withOrigins(rejection({ error: "invalid_grant" }), {
        username: "config",
      }) as ProjectServiceError,
    "LOGIN_REJECTED",
    400,
    /gets the same response\. \(URL/,
  ],
  "a disabled user": [
    () => invalidGrant("Account disabled"),
    "LOGIN_REJECTED",
    400,
    /administrator.*enable the user/,
  ],
  "an incomplete account": [
    () => invalidGrant("Not fully set up"),
    "LOGIN_REJECTED",
    400,
    /browser/,
  ],
  "a wrong client": [() => oauthError("invalid_client"), "LOGIN_REJECTED", 400, /clientSecret/],
  "a client without direct access grants": [
    () => oauthError("unauthorized_client"),
    "LOGIN_REJECTED",
    400,
    /direct/,
  ],
  "a realm without the password grant": [
    () => oauthError("unsupported_grant_type"),
    "LOGIN_REJECTED",
    400,
    /realm.*direct/,
  ],
  "a wrong scope": [() => oauthError("invalid_scope"), "LOGIN_REJECTED", 400, /Check scope/],
  "a denied sign-in": [
    () => oauthError("access_denied"),
    "LOGIN_REJECTED",
    400,
    /username and clientId/,
  ],
  "a rejected sign-in": [
    () => oauthError("invalid_request"),
    "LOGIN_REJECTED",
    400,
    /realm, clientId/,
  ],
  "an unknown OAuth error": [
    () => rejection({ error: "c4nary" }, 200),
    "LOGIN_REJECTED",
    200,
    /realm, clientId/,
  ],
  "a wrong realm": [() => oauthError("Realm does not exist"), "LOGIN_REJECTED", 400, /Check realm/],

  "a timeout of an attempt": [
    () => timeout("attempt", 7_000),
    "TIMEOUT",
    undefined,
    /no complete response within 7 s\. .*baseUrl.* or raise timeoutSeconds\./,
  ],
  "a timeout of all attempts": [
    () => timeout("request", 60_000),
    "TIMEOUT",
    undefined,
    /within 60 s, the limit for all attempts.*baseUrl.* timeoutSeconds to more than 60/,
  ],
  "a timeout of a list": [
    () => timeout("list", 300_000),
    "TIMEOUT",
    undefined,
    /within 300 s, the limit for a list.*baseUrl.* timeoutSeconds to more than 300/,
  ],
  "a missing response": [
    () => transportError("network", "X"),
    "UNREACHABLE",
    undefined,
    /no response from api\.example\.com \(X\).*baseUrl and the network/,
  ],
  "a proxy that refuses the connection": [
    () => proxyError("407"),
    "UNREACHABLE",
    407,
    /the proxy proxy:3128 refused to connect to api\.example\.com \(407\)\. Check HTTPS_PROXY.*user name and a password.*NO_PROXY/,
  ],
  "a proxy that cannot be reached": [
    () => proxyError("ECONNREFUSED"),
    "UNREACHABLE",
    undefined,
    /no connection through the proxy proxy:3128 \(ECONNREFUSED\)\. Check HTTPS_PROXY.*NO_PROXY/,
  ],
  "a proxy that is not trusted": [
    () => proxyError("SELF_SIGNED_CERT_IN_CHAIN"),
    "TLS_FAILED",
    undefined,
    /no secure connection to the proxy proxy:3128 .*set caCertificate/,
  ],
  "an expired certificate": [
    () => transportError("tls", "CERT_HAS_EXPIRED"),
    "TLS_FAILED",
    undefined,
    /api\.example\.com \(CERT_HAS_EXPIRED\).*renewed/,
  ],
  "the certificate of another host": [
    () => transportError("tls", "ERR_TLS_CERT_ALTNAME_INVALID"),
    "TLS_FAILED",
    undefined,
    /another host.*baseUrl/,
  ],
  "a failed TLS handshake": [
    () => transportError("tls", "EPROTO"),
    "TLS_FAILED",
    undefined,
    /not speak TLS.*baseUrl/,
  ],
  "a server without TLS": [
    () => transportError("tls", "ERR_SSL_WRONG_VERSION_NUMBER"),
    "TLS_FAILED",
    undefined,
    /not speak TLS.*baseUrl/,
  ],
  "an unknown certificate authority": [
    () => transportError("tls", "X"),
    "TLS_FAILED",
    undefined,
    /caCertificate/,
  ],
  "a large response": [
    () => transportError("tooLarge", "X"),
    "RESPONSE_INVALID",
    undefined,
    /too large.*baseUrl/,
  ],
  "a response that is not HTTP": [
    () => transportError("malformed", "X"),
    "RESPONSE_INVALID",
    undefined,
    /not valid HTTP \(X\).*baseUrl/,
  ],
  "a token response that is not HTTP": [
    () => transportError("malformed", "X", signingIn),
    "LOGIN_RESPONSE_INVALID",
    undefined,
    /not valid HTTP \(X\).*authUrl/,
  ],
  "an invalid response": [
    () => translateError(new InvalidResponseError("name is missing"), reading),
    "RESPONSE_INVALID",
    undefined,
    /the response is invalid: name is missing\. Check that baseUrl/,
  ],
  "a bug of this package": [
    () => translateError(new RangeError("c4nary", { cause: "c4nary" }), reading),
    "RESPONSE_INVALID",
    undefined,
    /RangeError.*bug in pulumi-project-service.*report it/,
  ],
  "a bug of this package, with its place": [
    () => translateError(bugWithFakeFrame(), reading),
    "RESPONSE_INVALID",
    undefined,
    /the error RangeError at test\/provider\/errors\/translateError\.test\.js:\d+:\d+\. This is a bug/,
  ],
  "a thrown string": [
    () => translateError("c4nary", reading),
    "RESPONSE_INVALID",
    undefined,
    /the error string\..*report it/,
  ],
};

/** The operation, the reason, the advice, and the address without its query. */
const form =
  /^(Reading project p-1|Listing the projects|Signing in) failed: [a-zA-Z].*\w\)?\. [A-Z].*\w\. \(URL: https:\/\/(api\.example\.com\/projects\/p-1|login\.example\.com\/token)\)$/;

describe("an error's message", () => {
  for (const [what, [make, code, status, message]] of Object.entries(expected)) {
    it(`names ${what}, and what to do, in the usual form`, () => {
      const error = make();
      assert.equal(error.code, code);
      assert.equal(error.status, status);
      assert.match(error.message, message);
      assert.match(error.message, form);
      assert.doesNotMatch(error.message, /c4nary|undefined/);
    });
  }
});

describe("a status of the service", () => {
  it("is a redirect if it is 301, 302, 303, 307 or 308", () => {
    const isRedirect = (status: number) =>
      errorOfStatus(status, reading).message.includes("redirect");
    const statuses = Array.from({ length: 101 }, (_, index) => 299 + index);
    assert.deepEqual(statuses.filter(isRedirect), [301, 302, 303, 307, 308]);
  });
});

describe("an OAuth error", () => {
  it("is recognized by its own code, and not by a property that every object has", () => {
    const isRejection = (error: unknown, status = 400) =>
      errorOfRejection(status, { error }, signingIn) !== undefined;
    assert.deepEqual(
      ["invalid_grant", "toString", "blocked", 7].map((error) => isRejection(error)),
      [true, false, false, false],
    );
    assert.deepEqual(
      [undefined, null, [], "text"].map((json) => errorOfRejection(400, json, signingIn)),
      [undefined, undefined, undefined, undefined],
    );
  });

  it("with status 200 is any error without a token", () => {
    for (const error of ["invalid_grant", "toString", "locked_out"]) {
      assert.equal(rejection({ error }, 200).code, "LOGIN_REJECTED");
    }
    assert.equal(errorOfRejection(200, { error: "x", access_token: "t" }, signingIn), undefined);
  });
});
