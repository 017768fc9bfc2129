import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import type { Variable } from "./variables.js";

/**
 * Returns a command for each line of each credential, with which GitHub's runner masks it in the log.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` if the runner would not see a command.
 */
export function masksOf(variables: readonly Variable[]): string {
  const lines = variables
    // To mask `true` would only hide words of the log.
    .filter(({ secret, value }) => secret && typeof value !== "boolean")
    .flatMap(({ shownName, value }) => {
      const lines = String(value).split("\n");
      if (lines.every((line) => maskable.test(line))) return lines;
      throw argumentInvalid(
        `GitHub cannot mask ${shownName}: a line of its value starts with a combining, invisible or unusual character.`,
      );
    })
    .filter((line) => line.trim() !== "");
  return [...new Set(lines)].map((line) => `::add-mask::${escapeData(line)}\n`).join("");
}

/**
 * The runner looks for the end of a command with ICU, which ignores some characters, and takes others for a part
 * of the colon before them. It would print such a line. These characters are certain.
 */
const maskable = /^([\t\r -~\p{Lu}\p{Ll}\p{Script=Han}]|$)/u;

/** Escapes as GitHub documents it. A line contains no line feed. */
function escapeData(line: string): string {
  return line.replaceAll("%", "%25").replaceAll("\r", "%0D");
}
