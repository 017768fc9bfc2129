/* The commands with which the runner of GitHub hides credentials in its log. */
import { fstatSync } from "node:fs";
import { printStderr } from "../standardStreams.js";
import type { Variable } from "./variables.js";

/**
 * In a job on GitHub, prints the commands with which its runner masks the credentials. The runner reads them from standard
 * error, removes them there, and does not read a file.
 *
 * @param onUnmaskable gets the name of each variable that the runner cannot mask.
 */
export async function maskCredentials(
  variables: readonly Variable[],
  onUnmaskable: (name: string) => void,
): Promise<void> {
  if (process.env["GITHUB_ACTIONS"] !== "true") return;
  const secrets = variables.filter(isMasked);
  for (const each of secrets) if (!isMaskable(each)) onUnmaskable(each.name);
  const masks = masksOf(secrets.filter(isMaskable));
  if (masks === "") return;
  if (!fstatSync(2).isFile()) {
    await new Promise((resolve) => process.stderr.write(masks, resolve));
    return;
  }
  printStderr(
    "Standard error is a file, so the credentials are not masked in the log of the job. Do not redirect it.",
  );
}

/**
 * Returns a command for each line of each credential. Drivers also log the URL of a database without its query, so a
 * credential is masked as it stands there, too.
 */
export function masksOf(variables: readonly Variable[]): string {
  const lines = variables.flatMap(linesOf).filter((line) => line.trim() !== "");
  const encoded = lines.map((line) => encodeURIComponent(line.toWellFormed()));
  // Escaped as in https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts. A line has no line feed.
  const escaped = [...lines, ...encoded].map((line) =>
    line.replaceAll("%", "%25").replaceAll("\r", "%0D"),
  );
  return [...new Set(escaped)].map((line) => `::add-mask::${line}\n`).join("");
}

/** Whether the runner sees the commands of a variable. */
export function isMaskable(variable: Variable): boolean {
  return linesOf(variable).every((line) => maskable.test(line));
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
