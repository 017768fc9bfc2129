import { join, sep } from "node:path";
import { errorOfTimeout, errorOfTransport } from "./errorOfTransport.js";
import {
  IncompleteListError,
  InvalidResponseError,
  TimeoutError,
  TransportError,
} from "./internalErrors.js";
import { ProjectServiceError } from "./projectServiceError.js";
import { invalidResponseCode, type RequestContext, requestError } from "./requestContext.js";

/**
 * Turns any error of a library or of Node into a {@link ProjectServiceError}.
 *
 * Only the kind and the code of the other error are used. Its message, cause and stack may contain
 * headers, tokens and response bodies.
 */
export function translateError(error: unknown, context: RequestContext): ProjectServiceError {
  if (error instanceof ProjectServiceError) return error;
  if (error instanceof TimeoutError) return errorOfTimeout(error, context);
  if (error instanceof TransportError) return errorOfTransport(error, context);
  if (error instanceof InvalidResponseError) {
    return requestError(context, {
      code: invalidResponseCode(context),
      reason: `the response is invalid: ${error.message}`,
      advice: `Check that ${context.urlSetting} is the address of the service.`,
    });
  }
  if (error instanceof IncompleteListError) {
    return requestError(context, {
      code: "LIST_INCOMPLETE",
      reason: `the list is incomplete: ${error.message}`,
      advice:
        "Check baseUrl and any proxy on the way. If projects are being created right now, try again.",
    });
  }
  return requestError(context, {
    code: invalidResponseCode(context),
    reason: `processing the response caused the error ${nameOf(error)}${placeOf(error)}`,
    advice: "This is a bug in pulumi-project-service. Please report it.",
  });
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.constructor.name : typeof error;
}

const packageFolder = join(__dirname, "..", "..") + sep;

/** Returns the topmost place in this package's code, such as ` at provider/wire/mapping.js:82:7`. */
function placeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  const { stack = "", message } = error;
  // The message precedes the frames. It can hold anything, also lines that look like a frame.
  const frames = stack.slice(stack.indexOf(message) + message.length).split("\n");
  for (const frame of frames) {
    const [, path] = frame.split(packageFolder);
    const place = /^[\w/\\.-]+:\d+:\d+/.exec(path ?? "");
    if (place !== null) return ` at ${place[0]}`;
  }
  return "";
}
