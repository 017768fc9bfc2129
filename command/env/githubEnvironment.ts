import { appendFileSync, fstatSync } from "node:fs";
import { argumentInvalid } from "../../provider/errors/argumentInvalid.js";
import { displayText } from "../../provider/errors/displayText.js";
import type { Variable } from "./variables.js";

/**
 * Returns the file to which a step on GitHub appends environment variables.
 *
 * Masks are lines on standard output, which only a runner may see. In a file, a terminal or
 * /dev/null they would show the credentials or mask nothing.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` if this is no step on GitHub.
 */
export function githubEnvironmentFile(
  environment: Readonly<Record<string, string | undefined>>,
): string {
  const { GITHUB_ACTIONS, GITHUB_ENV = "" } = environment;
  if (GITHUB_ACTIONS !== "true" || GITHUB_ENV === "") {
    throw argumentInvalid(
      "With --credentials, the format github works only in a step on GitHub, where GITHUB_ACTIONS is true and GITHUB_ENV names a file. Elsewhere, use --format shell --output <file>.",
    );
  }
  const stdout = fstatSync(1);
  if (!stdout.isFIFO() && !stdout.isSocket()) {
    throw argumentInvalid(
      "With --credentials, the format github prints the masks of the credentials to standard output, which only the runner may read. Do not redirect it to a file, a terminal or /dev/null.",
    );
  }
  return GITHUB_ENV;
}

/**
 * Masks the secret variables in the log of the job, and then appends all variables to the file.
 *
 * @param text the variables in the format of GitHub.
 */
export async function addToGithubEnvironment(
  file: string,
  variables: readonly Variable[],
  text: string,
): Promise<void> {
  await print(masksOf(variables));
  try {
    appendFileSync(file, text);
  } catch (error) {
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    throw argumentInvalid(
      `Appending the variables to ${displayText(file, 1000)} failed: ${code}. Check the file in GITHUB_ENV.`,
    );
  }
}

/** Returns a command for each line of each secret text, because GitHub masks single lines only. */
function masksOf(variables: readonly Variable[]): string {
  const lines = variables
    .filter(({ secret, value }) => secret && typeof value === "string")
    .flatMap(({ value }) => String(value).split("\n"))
    .filter((line) => line.trim() !== "");
  return [...new Set(lines)].map((line) => `::add-mask::${escapeData(line)}\n`).join("");
}

/** Escapes as GitHub documents it. A line contains no line feed. */
function escapeData(line: string): string {
  return line.replaceAll("%", "%25").replaceAll("\r", "%0D");
}

/** Prints a text and waits until the reader has it. Unmasked credentials must not get into a job. */
function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => {
      if (!error) return resolve();
      reject(
        argumentInvalid(
          "GitHub did not receive the masks of the credentials, so nothing was appended to GITHUB_ENV. Leave standard output to the runner.",
        ),
      );
    });
  });
}
