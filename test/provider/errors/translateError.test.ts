import assert from "node:assert/strict";
import type { ProjectServiceError } from "../../../provider/errors/projectServiceError.js";
import {
  errorOfLoginStatus,
  errorOfRejection,
  errorOfStatus,
  withOrigins,
} from "../../../provider/errors/statusErrors.js";
import {
  InvalidResponseError,
  type TimeLimitName,
  TimeoutError,
  TransportError,
  type TransportErrorKind,
} from "../../../provider/errors/internalErrors.js";
import { type RequestContext, translateError } from "../../../provider/errors/requestErrors.js";
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

type Cases = Record<string, [make: () => ProjectServiceError, message: RegExp]>;

/** By the code of the error and its status, if it has one. */
const expected: Record<string, Cases> = {
  "TOKEN_REFUSED 401": {
    "a token that the service rejects": [
      () => errorOfStatus(401, reading),
      /rejected a new token \(401\).*baseUrl.*clientId/,
    ],
  },
  "FORBIDDEN 403": {
    "a denied project": [
      () => errorOfStatus(403, reading),
      /denied access \(403\).*access to this project.*username/,
    ],
    "a denied list": [
      () => errorOfStatus(403, listing),
      /denied access \(403\).*access to projects.*username/,
    ],
  },
  "NOT_FOUND 404": {
    "a missing project": [() => errorOfStatus(404, reading), /status 404, not found.*projectId/],
    "a missing list": [
      () => errorOfStatus(404, listing),
      /status 404, not found.*no project list.*baseUrl/,
    ],
  },
  "TIMEOUT 408": {
    "a timeout of the service": [() => errorOfStatus(408, reading), /status 408.*later/],
  },
  "RATE_LIMITED 429": {
    "a rate limit": [
      () => errorOfStatus(429, reading),
      /status 429, too many requests.*maxConcurrency/,
    ],
  },
  "SERVICE_UNAVAILABLE 500": {
    "an outage": [() => errorOfStatus(500, reading), /status 500.*later/],
  },
  "RESPONSE_INVALID 400": {
    "an undocumented status": [
      () => errorOfStatus(400, reading),
      /status 400, which its interface does not define.*baseUrl/,
    ],
  },
  "RESPONSE_INVALID 302": {
    "a redirect": [
      () => errorOfStatus(302, reading),
      /redirect \(302\), which is not followed.*Set baseUrl/,
    ],
  },
  "LOGIN_UNAVAILABLE 408": {
    "a timeout of the sign-in": [() => errorOfLoginStatus(408, signingIn), /later/],
  },
  "LOGIN_UNAVAILABLE 500": {
    "an outage of the identity provider": [() => errorOfLoginStatus(500, signingIn), /later/],
  },
  "LOGIN_RESPONSE_INVALID 200": {
    "a web page as token response": [() => errorOfLoginStatus(200, signingIn), /JSON/],
  },
  "LOGIN_REJECTED 400": {
    "a wrong password": [() => invalidGrant("Invalid"), /Check username and password/],
    "a wrong password from known places": [
      () =>
        withOrigins(rejection({ error: "invalid_grant" }), {
          username: "the stack config",
          password: "the variable P",
        }) as ProjectServiceError,
      / The setting username comes from the stack config, password from the variable P\. \(URL: [^)]*\)$/,
    ],
    "a wrong password from a place of which only one is known": [
      () =>
        withOrigins(rejection({ error: "invalid_grant" }), {
          username: "config",
          scope: "config",
        }) as ProjectServiceError,
      /gets the same response\. The setting username comes from config\. \(URL/,
    ],
    "a wrong realm from a known place": [
      () =>
        withOrigins(rejection({ error: "Realm does not exist" }), {
          realm: "the stack config",
          password: "the variable P",
        }) as ProjectServiceError,
      /Check realm\. The setting realm comes from the stack config\. \(URL/,
    ],
    "a client without direct access grants from a known place": [
      () =>
        withOrigins(rejection({ error: "unauthorized_client" }), {
          clientId: "the stack config",
          password: "the variable P",
        }) as ProjectServiceError,
      /setting clientId\. The setting clientId comes from the stack config\. \(URL/,
    ],
    "a disabled user": [() => invalidGrant("Account disabled"), /administrator.*enable the user/],
    "an incomplete account": [() => invalidGrant("Not fully set up"), /browser/],
    "a wrong client": [() => oauthError("invalid_client"), /clientSecret/],
    "a client without direct access grants": [() => oauthError("unauthorized_client"), /direct/],
    "a realm without the password grant": [
      () => oauthError("unsupported_grant_type"),
      /realm.*direct/,
    ],
    "a wrong scope": [() => oauthError("invalid_scope"), /Check scope/],
    "a denied sign-in": [() => oauthError("access_denied"), /username and clientId/],
    "a rejected sign-in": [() => oauthError("invalid_request"), /realm, clientId/],
    "a wrong realm": [() => oauthError("Realm does not exist"), /Check realm/],
  },
  "LOGIN_REJECTED 200": {
    "an unknown OAuth error": [() => rejection({ error: "c4nary" }, 200), /realm, clientId/],
  },
  TIMEOUT: {
    "a timeout of an attempt": [
      () => timeout("attempt", 7_000),
      /no complete response within 7 s\. .*baseUrl.* or raise timeoutSeconds\./,
    ],
    "a timeout of all attempts": [
      () => timeout("request", 60_000),
      /within 60 s, the limit for all attempts.*baseUrl.* timeoutSeconds to more than 60/,
    ],
    "a timeout of a list": [
      () => timeout("list", 300_000),
      /within 300 s, the limit for a list.*baseUrl.* timeoutSeconds to more than 300/,
    ],
  },
  UNREACHABLE: {
    "a missing response": [
      () => transportError("network", "X"),
      /no response from api\.example\.com \(X\).*baseUrl and the network/,
    ],
    "a proxy that cannot be reached": [
      () => proxyError("ECONNREFUSED"),
      /no connection through the proxy proxy:3128 \(ECONNREFUSED\)\. Check HTTPS_PROXY.*NO_PROXY/,
    ],
  },
  "UNREACHABLE 407": {
    "a proxy that refuses the connection": [
      () => proxyError("407"),
      /the proxy proxy:3128 refused to connect to api\.example\.com \(407\)\. Check HTTPS_PROXY.*user name and a password.*NO_PROXY/,
    ],
  },
  TLS_FAILED: {
    "a proxy that is not trusted": [
      () => proxyError("SELF_SIGNED_CERT_IN_CHAIN"),
      /no secure connection to the proxy proxy:3128 .*set caCertificate/,
    ],
    "an expired certificate": [
      () => transportError("tls", "CERT_HAS_EXPIRED"),
      /api\.example\.com \(CERT_HAS_EXPIRED\).*renewed/,
    ],
    "the certificate of another host": [
      () => transportError("tls", "ERR_TLS_CERT_ALTNAME_INVALID"),
      /another host.*baseUrl/,
    ],
    "a failed TLS handshake": [() => transportError("tls", "EPROTO"), /not speak TLS.*baseUrl/],
    "a server without TLS": [
      () => transportError("tls", "ERR_SSL_WRONG_VERSION_NUMBER"),
      /not speak TLS.*baseUrl/,
    ],
    "an unknown certificate authority": [() => transportError("tls", "X"), /caCertificate/],
  },
  RESPONSE_INVALID: {
    "a large response": [() => transportError("tooLarge", "X"), /too large.*baseUrl/],
    "a response that is not HTTP": [
      () => transportError("malformed", "X"),
      /not valid HTTP \(X\).*baseUrl/,
    ],
    "an invalid response": [
      () => translateError(new InvalidResponseError("name is missing"), reading),
      /the response is invalid: name is missing\. Check that baseUrl/,
    ],
    "a bug of this package": [
      () => translateError(new RangeError("c4nary", { cause: "c4nary" }), reading),
      /RangeError.*bug in pulumi-project-service.*report it/,
    ],
    "a bug of this package, with its place": [
      () => translateError(bugWithFakeFrame(), reading),
      /the error RangeError at test\/provider\/errors\/translateError\.test\.js:\d+:\d+\. This is a bug/,
    ],
    "a thrown string": [() => translateError("c4nary", reading), /the error string\..*report it/],
  },
  LOGIN_RESPONSE_INVALID: {
    "a token response that is not HTTP": [
      () => transportError("malformed", "X", signingIn),
      /not valid HTTP \(X\).*authUrl/,
    ],
  },
};

/** The operation, the reason, the advice, and the address without its query. */
const form =
  /^(Reading project p-1|Listing the projects|Signing in) failed: [a-zA-Z].*\w\)?\. [A-Z].*\w\. \(URL: https:\/\/(api\.example\.com\/projects\/p-1|login\.example\.com\/token)\)$/;

describe("an error's message", () => {
  for (const [codeAndStatus, cases] of Object.entries(expected)) {
    for (const [what, [make, message]] of Object.entries(cases)) {
      it(`names ${what}, and what to do, in the usual form`, () => {
        const error = make();
        assert.equal([error.code, error.status].join(" ").trim(), codeAndStatus);
        assert.match(error.message, message);
        assert.match(error.message, form);
        assert.doesNotMatch(error.message, /c4nary|undefined/);
      });
    }
  }
});

describe("an error about a project whose id is secret", () => {
  it("does not contain the id", () => {
    const error = translateError(new TransportError("network", "ECONNRESET"), {
      ...reading,
      operation: "Reading the project",
      isSecret: true,
    });
    assert.match(error.message, / \(URL: https:\/\/api\.example\.com\/projects\)$/);
    assert.equal(error.url, "https://api.example.com/projects");
    assert.doesNotMatch(JSON.stringify(error), /p-1/);
  });
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
