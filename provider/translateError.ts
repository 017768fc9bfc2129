import { ProjectServiceError, type ProjectServiceErrorCode } from "./errors.js";
import { Unfinished } from "./paging.js";
import { shown } from "./shown.js";
import type { TimeLimit } from "./timeLimits.js";
import { isTlsCode, TimeoutFault, TransportFault } from "./transportFaults.js";
import { InvalidAnswer } from "./validate.js";

/** What was being done when it failed: the first half of every message. */
export interface Undertaking {
  /** As the start of a sentence: "Reading project p-1". */
  readonly doing: string;
  readonly url: string;
  /** The setting that holds the address, for the advice. */
  readonly addressKey: "baseUrl" | "authUrl";
  readonly projectId?: string | undefined;
}

/**
 * Turns whatever a library or Node threw into a {@link ProjectServiceError}. Of the foreign error
 * only its kind and code go on: its message, cause and stack may hold headers, tokens and bodies.
 */
export function translateError(error: unknown, undertaking: Undertaking): ProjectServiceError {
  if (error instanceof ProjectServiceError) return error;
  // openid-client wraps what the transport threw.
  if (error instanceof Error && error.cause instanceof ProjectServiceError) return error.cause;
  if (error instanceof TimeoutFault) return errorOfTimeout(error.limit, undertaking);
  if (error instanceof TransportFault) return errorOfFault(error, undertaking);
  const code = invalidCode(undertaking);
  if (error instanceof InvalidAnswer) {
    return failure(undertaking, code, `the answer cannot be used: ${error.message}`, {
      advice: `Check that ${undertaking.addressKey} is the address of the service.`,
    });
  }
  if (error instanceof Unfinished) {
    return failure(
      undertaking,
      "LIST_INCOMPLETE",
      `the list cannot be read to its end, ${error.message}`,
      {
        advice:
          "Check baseUrl, and a proxy on the way; try again if projects are just being created.",
      },
    );
  }
  return failure(undertaking, code, `${nameOf(error)} while the answer was processed`, {
    advice: "This is a fault of the package: please report it.",
  });
}

/** The error for an answer of the project API that is not the 200 we asked for. */
export function errorOfStatus(status: number, undertaking: Undertaking): ProjectServiceError {
  const { projectId } = undertaking;
  const answered = `the service answered ${status}`;
  if (isRedirect(status)) return errorOfRedirect(status, undertaking);
  switch (status) {
    case 401:
      return failure(undertaking, "TOKEN_REFUSED", `${answered} to a token just issued`, {
        status,
        advice: "Check that authUrl, realm and clientId are the ones that baseUrl trusts.",
      });
    case 403:
      return failure(undertaking, "FORBIDDEN", `${answered}`, {
        status,
        advice:
          projectId === undefined
            ? "Ask for access to projects for the user set in username."
            : "Ask for access to this project for the user set in username.",
      });
    case 404:
      return failure(undertaking, "NOT_FOUND", `${answered}`, {
        status,
        advice:
          projectId === undefined
            ? "There is no project list at this address: check baseUrl."
            : "There is no such project: check projectId.",
      });
    case 408:
      return failure(undertaking, "TIMEOUT", answered, { status, advice: tryLater });
    case 429:
      return failure(undertaking, "RATE_LIMITED", answered, {
        status,
        advice: "Lower maxConcurrency or try again later.",
      });
  }
  if (status >= 500) {
    return failure(undertaking, "SERVICE_UNAVAILABLE", answered, { status, advice: tryLater });
  }
  return failure(undertaking, "RESPONSE_INVALID", `${answered}, which it does not document`, {
    status,
    advice: "Check baseUrl.",
  });
}

/** The error for an answer of the token endpoint that holds neither a token nor an OAuth error. */
export function errorOfLoginStatus(status: number, undertaking: Undertaking): ProjectServiceError {
  const answered = `the identity provider answered ${status}`;
  if (isRedirect(status)) return errorOfRedirect(status, undertaking);
  if (status >= 500 || status === 429 || status === 408) {
    return failure(undertaking, "LOGIN_UNAVAILABLE", answered, { status, advice: tryLater });
  }
  return failure(undertaking, "LOGIN_RESPONSE_INVALID", `${answered}, without an OAuth error`, {
    status,
    advice: adviceOnTokenEndpoint,
  });
}

/** The token endpoint's answer is not JSON: most often a web page, from the wrong address. */
export function errorOfLoginPage(status: number, undertaking: Undertaking): ProjectServiceError {
  return failure(undertaking, "LOGIN_RESPONSE_INVALID", "the answer is not JSON", {
    status,
    advice: adviceOnTokenEndpoint,
  });
}

/** An OAuth 2.0 error of the token endpoint (RFC 6749, section 5.2), as openid-client reports it. */
export interface OAuthError {
  readonly status: number;
  readonly error: string;
  readonly error_description?: string | undefined;
}

export function isOAuthError(error: unknown): error is OAuthError {
  return (error as { code?: unknown } | null)?.code === "OAUTH_RESPONSE_BODY_ERROR";
}

/** Other answers have a field `error` too: a JSON 404 of a wrong address, a firewall's page. */
export function isOAuthErrorCode(error: string): boolean {
  return Object.hasOwn(oauthReasons, error);
}

/** Its texts decide which of our sentences is used; they are never part of one. */
export function errorOfOAuth(answer: OAuthError, undertaking: Undertaking): ProjectServiceError {
  const [reason, advice] = (oauthReasons[answer.error] ?? oauthReasons["invalid_request"])(
    answer.error_description ?? "",
  );
  return failure(undertaking, "LOGIN_REJECTED", `${reason} (${answer.status})`, {
    status: answer.status,
    advice,
  });
}

type Reason = (description: string) => [reason: string, advice: string];

/** By the error code: RFC 6749's, and what Keycloak says of a realm that it does not have. */
const oauthReasons: Record<string, Reason> & { invalid_request: Reason } = {
  invalid_grant: (description) => {
    if (/disabled/i.test(description)) {
      return ["the user is disabled", "Have the user named in username enabled."];
    }
    if (/not fully set up/i.test(description)) {
      return [
        "the user's account is not fully set up",
        "Sign in once in a browser as the user named in username and finish what is asked.",
      ];
    }
    return [
      "the user or the password was rejected",
      "Check username and password; a user locked out after failed sign-ins gets the same answer.",
    ];
  },
  invalid_client: () => ["the client was rejected", "Check clientId and clientSecret."],
  unauthorized_client: (description) =>
    // What Keycloak says of a wrong clientSecret, in place of invalid_client.
    /invalid client/i.test(description)
      ? ["the client's secret was rejected", "Check clientId and clientSecret."]
      : [
          "the client may not use the password grant",
          "Have direct access grants allowed for the client set in clientId.",
        ],
  unsupported_grant_type: () => [
    "the password grant is not supported",
    "Check authUrl and realm, and that the client allows direct access grants.",
  ],
  invalid_scope: () => ["the scope was rejected", "Check scope."],
  access_denied: () => ["access was denied", "Check username and clientId."],
  invalid_request: () => [
    "the sign-in was rejected",
    "Check realm, clientId, username and password.",
  ],
  "Realm does not exist": () => ["there is no such realm", "Check realm."],
};

function errorOfFault(fault: TransportFault, undertaking: Undertaking): ProjectServiceError {
  const { addressKey } = undertaking;
  const host = new URL(undertaking.url).host;
  switch (fault.kind) {
    case "network":
      return failure(undertaking, "UNREACHABLE", `no answer from ${host} (${fault.code})`, {
        advice: `Check ${addressKey} and the network.`,
      });
    case "proxy":
      return errorOfProxy(fault, undertaking);
    case "tls":
      return failure(undertaking, "TLS_FAILED", `no secure connection to ${host} (${fault.code})`, {
        advice: adviceOnCertificate(fault.code, addressKey),
      });
    case "tooLarge":
      return failure(undertaking, invalidCode(undertaking), "the answer is too large", {
        advice: `Check ${addressKey}.`,
      });
    case "malformed":
      return failure(
        undertaking,
        invalidCode(undertaking),
        `the answer is broken (${fault.code})`,
        {
          advice: `Check ${addressKey}, and a proxy on the way.`,
        },
      );
  }
}

function errorOfProxy(
  { code, proxyHost }: TransportFault,
  undertaking: Undertaking,
): ProjectServiceError {
  const { host } = new URL(undertaking.url);
  const variables = "Check HTTPS_PROXY, HTTP_PROXY or ALL_PROXY";
  if (isTlsCode(code)) {
    return failure(
      undertaking,
      "TLS_FAILED",
      `no secure connection to the proxy ${proxyHost} (${code})`,
      {
        advice: `${variables}: the proxy may want http:// in its address. If a private certificate authority issued its certificate, set caCertificate.`,
      },
    );
  }
  if (/^\d+$/.test(code)) {
    return failure(undertaking, "UNREACHABLE", `the proxy ${proxyHost} refused ${host} (${code})`, {
      status: Number(code),
      advice: `${variables}, with user and password where the proxy wants them, or name the host in NO_PROXY.`,
    });
  }
  return failure(undertaking, "UNREACHABLE", `no tunnel through the proxy ${proxyHost} (${code})`, {
    advice: `${variables} and the network, or name ${host} in NO_PROXY.`,
  });
}

/** Names the limit that was hit, for each is raised in another way. */
function errorOfTimeout(limit: TimeLimit, undertaking: Undertaking): ProjectServiceError {
  const seconds = limit.durationMs / 1_000;
  const [reason, remedy] = timeoutTexts[limit.of](seconds);
  return failure(undertaking, "TIMEOUT", reason, {
    advice: `Check ${undertaking.addressKey} and the network, ${remedy}.`,
  });
}

const timeoutTexts: Record<TimeLimit["of"], (seconds: number) => [reason: string, remedy: string]> =
  {
    attempt: (seconds) => [`no complete response within ${seconds} s`, "or raise timeoutSeconds"],
    request: (seconds) => [
      `no complete response within ${seconds} s, the limit for all attempts of a request`,
      `or set timeoutSeconds to more than ${seconds}, which raises this limit too`,
    ],
    list: (seconds) => [
      `the pages of the list did not come within ${seconds} s, the limit for a list`,
      `or set timeoutSeconds to more than ${seconds}, which raises this limit too`,
    ],
  };

function errorOfRedirect(status: number, undertaking: Undertaking): ProjectServiceError {
  return failure(
    undertaking,
    invalidCode(undertaking),
    `the answer is a redirect (${status}), which is not followed`,
    { status, advice: `Set ${undertaking.addressKey} to the address it leads to.` },
  );
}

function adviceOnCertificate(code: string, addressKey: string): string {
  switch (code) {
    case "CERT_HAS_EXPIRED":
      return "The certificate has expired: have it renewed.";
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return `The certificate is for another host: check ${addressKey}.`;
    case "EPROTO":
    case "ERR_SSL_WRONG_VERSION_NUMBER":
      return `The server may not speak TLS at this port: check ${addressKey}.`;
    default:
      return "If a private certificate authority issued the certificate, set caCertificate.";
  }
}

const tryLater = "Try again later.";
const adviceOnTokenEndpoint =
  "Check authUrl and realm: the token endpoint is expected at {authUrl}/auth/realms/{realm}; a missing /auth on that server, or a wrong address before it, is the likely cause.";

function invalidCode(undertaking: Undertaking): ProjectServiceErrorCode {
  return undertaking.addressKey === "authUrl" ? "LOGIN_RESPONSE_INVALID" : "RESPONSE_INVALID";
}

function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

/** An address of a service can be as long as an id or a link that it gave. */
const maxShownAddress = 300;

function nameOf(error: unknown): string {
  return error instanceof Error ? error.constructor.name : typeof error;
}

function failure(
  { doing, url, projectId }: Undertaking,
  code: ProjectServiceErrorCode,
  reason: string,
  { status, advice }: { status?: number; advice: string },
): ProjectServiceError {
  const { origin, pathname } = new URL(url);
  return new ProjectServiceError(
    code,
    `${doing} failed: ${reason}. ${advice} Asked: ${shown(origin + pathname, maxShownAddress)}`,
    { status, projectId, url },
  );
}
