/* The commands with which the runner of GitHub hides credentials in its log. */
import { fstatSync } from "node:fs";
import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import { printStderr } from "../standardStreams.js";
import type { Variable } from "./variables.js";

/**
 * Returns a command for each line of each credential, with which GitHub's runner masks it in the log. Drivers also log
 * the URL of a database without its query, so a credential is masked as it stands there, too.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` if the runner would not see a command.
 */
export function masksOf(variables: readonly Variable[]): string {
  const [first] = unmaskable(variables);
  if (first !== undefined) {
    throw argumentInvalid(
      `GitHub cannot mask ${first}: a line of its value starts with a combining, invisible or unusual character. To pass it to a command anyway, use pulumi-project-service run.`,
    );
  }
  const lines = variables
    .filter(isMasked)
    .flatMap(linesOf)
    .filter((line) => line.trim() !== "");
  const encoded = lines.map((line) => encodeURIComponent(line.toWellFormed()));
  // Escaped as in https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts. A line has no line feed.
  const escaped = [...lines, ...encoded].map((line) =>
    line.replaceAll("%", "%25").replaceAll("\r", "%0D"),
  );
  return [...new Set(escaped)].map((line) => `::add-mask::${line}\n`).join("");
}

/** Returns the names of the variables that GitHub's runner cannot mask. */
export function unmaskable(variables: readonly Variable[]): string[] {
  return variables
    .filter((each) => isMasked(each) && !linesOf(each).every((line) => maskable.test(line)))
    .map(({ name }) => name);
}

/** Prints the masks. The runner reads them from standard error, removes them there, and does not read a file. */
export async function printMasks(masks: string): Promise<void> {
  if (masks === "") return;
  if (!fstatSync(2).isFile()) {
    await new Promise((resolve) => process.stderr.write(masks, resolve));
    return;
  }
  printStderr(
    "Standard error is a file, so the credentials are not masked in the log of the job. Do not redirect it.",
  );
}

/** To mask `true` would only hide words of the log. */
function isMasked({ secret, value }: Variable): boolean {
  return secret && typeof value !== "boolean";
}

function linesOf({ value }: Variable): string[] {
  return String(value).split("\n");
}

/**
 * The runner looks for the end of a command with ICU, which ignores some characters, and takes others for a part
 * of the colon before them. It would print such a line. These characters are certain.
 * https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs
 */
const maskable = /^([\t\r -~\p{Lu}\p{Ll}\p{Script=Han}]|$)/u;
