import type { ProjectServiceError } from "./projectServiceError.js";
import {
  type Failure,
  invalidResponseCode,
  type RequestContext,
  requestError,
} from "./requestContext.js";

/** Makes the error for a response of the project API whose status is not 200. */
export function errorOfStatus(status: number, context: RequestContext): ProjectServiceError {
  if (isRedirect(status)) return errorOfRedirect(status, context);
  const isList = context.projectId === undefined;
  return requestError(context, { status, ...failureOfStatus(status, isList) });
}

function failureOfStatus(status: number, isList: boolean): Omit<Failure, "status"> {
  const responded = `the service responded with status ${status}`;
  switch (status) {
    case 401:
      return {
        code: "TOKEN_REFUSED",
        reason: "the service rejected a new token (401)",
        advice: "Check that the service at baseUrl accepts tokens of authUrl, realm and clientId.",
      };
    case 403:
      return {
        code: "FORBIDDEN",
        reason: "the service denied access (403)",
        advice: `Ask for access to ${isList ? "projects" : "this project"} for the user in the setting username.`,
      };
    case 404:
      return {
        code: "NOT_FOUND",
        reason: `${responded}, not found`,
        advice: isList
          ? "There is no project list at this address. Check baseUrl."
          : "Check projectId. If the project was deleted in the service, restore it there or remove it from the program.",
      };
    case 408:
      return { code: "TIMEOUT", reason: responded, advice: tryLater };
    case 429:
      return {
        code: "RATE_LIMITED",
        reason: `${responded}, too many requests`,
        advice: "Lower maxConcurrency or try again later.",
      };
  }
  if (status >= 500) return { code: "SERVICE_UNAVAILABLE", reason: responded, advice: tryLater };
  return {
    code: "RESPONSE_INVALID",
    reason: `${responded}, which its interface does not define`,
    advice: "Check baseUrl.",
  };
}

/** Makes the error for a response of the token endpoint with neither a token nor an OAuth error. */
export function errorOfLoginStatus(status: number, context: RequestContext): ProjectServiceError {
  if (isRedirect(status)) return errorOfRedirect(status, context);
  const reason = `the identity provider responded with status ${status}`;
  return requestError(
    context,
    status >= 500 || status === 429 || status === 408
      ? { code: "LOGIN_UNAVAILABLE", status, reason, advice: tryLater }
      : {
          code: "LOGIN_RESPONSE_INVALID",
          status,
          reason: `${reason} and no OAuth error`,
          advice: adviceOnTokenEndpoint,
        },
  );
}

/** Makes the error for a token response that is not JSON: most often a web page at a wrong address. */
export function errorOfLoginPage(status: number, context: RequestContext): ProjectServiceError {
  return requestError(context, {
    code: "LOGIN_RESPONSE_INVALID",
    status,
    reason: "the response is not JSON",
    advice: adviceOnTokenEndpoint,
  });
}

/** The statuses with which a server sends an address to go to. */
function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

function errorOfRedirect(status: number, context: RequestContext): ProjectServiceError {
  return requestError(context, {
    code: invalidResponseCode(context),
    status,
    reason: `the response is a redirect (${status}), which is not followed`,
    advice: `Set ${context.urlSetting} to the address to which it leads.`,
  });
}

const tryLater = "Try again later.";
const adviceOnTokenEndpoint =
  "Check authUrl and realm. The token endpoint must be at {authUrl}/auth/realms/{realm}/protocol/openid-connect/token. Servers without /auth in their paths are not supported.";
