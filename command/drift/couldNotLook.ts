import { stripVTControlCharacters } from "node:util";
import {
  argumentInvalid,
  type ProjectServiceError,
} from "../../provider/errors/projectServiceError.js";
import { displayText } from "../../provider/errors/displayText.js";

const maxLines = 30;

/** A line of a stack trace in Node or in a package. */
const foreignFrame = /^ +at .*(node:|node_modules)/;

/** Returns the error of a command that cannot say whether there is drift. */
export function couldNotLook(reason: string): ProjectServiceError {
  return argumentInvalid(`Could not look for drift: ${reason}`);
}

/**
 * Returns the error of a preview that failed.
 *
 * @param messages what Pulumi says about it. Empty: it says nothing.
 */
export function previewFailed(how: string, messages: readonly string[]): ProjectServiceError {
  const lines = messages.flatMap(linesOf).filter((line) => !foreignFrame.test(line));
  const shown = lines.slice(0, maxLines);
  if (shown.length < lines.length) shown.push("…");
  return couldNotLook(
    [`${how}, so no snapshot was compared.`, ...shown, ...adviceFor(lines)].join("\n"),
  );
}

/** Returns the lines of a message, safe to show. Colors of stack traces are removed. */
export function linesOf(message: string): string[] {
  return stripVTControlCharacters(message)
    .split("\n")
    .map((line) => displayText(line.trimEnd(), 1000))
    .filter((line) => line !== "");
}

/** The program reads the project of a ProjectSnapshot, and fails without it. */
function adviceFor(lines: readonly string[]): string[] {
  const isMissing = lines.some((line) =>
    /ProjectServiceError \[(NOT_FOUND|FORBIDDEN|AMBIGUOUS_NAME)\]: ProjectSnapshot: /.test(line),
  );
  if (!isMissing) return [];
  return [
    "The project may have been deleted or renamed in the service, the user may have lost access to it, or the program may name it wrongly. The preview ended there, so the other snapshots were not compared either. In a ProjectsSnapshot, a removed project is a line of the drift report.",
  ];
}
