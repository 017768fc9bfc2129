import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import { displayText } from "../../provider/errors/displayText.js";
import { existingFile } from "../filePath.js";
import { writeWhole } from "../writeWhole.js";
import type { Variable } from "./variables.js";

/**
 * Returns the file to which a step on GitHub appends environment variables.
 *
 * Masks are lines on standard error, where the runner reads commands too. In a file, a terminal or
 * /dev/null they would show the credentials or mask nothing. Standard output may go into a file.
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
  // The runner creates the file. Another one might be readable by others.
  if (existingFile(GITHUB_ENV)?.isFile() !== true) {
    throw argumentInvalid(
      `GITHUB_ENV names ${displayText(GITHUB_ENV, 1000)}, which is not an existing regular file. With --credentials, run the format github in a step on GitHub, and leave GITHUB_ENV to the runner.`,
    );
  }
  const stderr = fstatSync(2);
  if (!stderr.isFIFO() && !stderr.isSocket()) {
    throw argumentInvalid(
      "With --credentials, the format github prints the masks of the credentials to standard error, which only the runner may read. Do not redirect it to a file, a terminal or /dev/null.",
    );
  }
  return GITHUB_ENV;
}

/**
 * Masks the secret variables in the log of the job, and then appends all variables to the file.
 *
 * @param text the variables in the format of GitHub.
 * @throws ProjectServiceError `ARGUMENT_INVALID` if GitHub cannot mask a value, or if the file could not
 *   be written. The file then has its earlier content.
 */
export async function addToGithubEnvironment(
  file: string,
  variables: readonly Variable[],
  text: string,
): Promise<void> {
  await print(masksOf(variables));
  try {
    append(file, text);
  } catch (error) {
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    throw argumentInvalid(
      `Appending the variables to ${displayText(file, 1000)} failed: ${code}. Check the file in GITHUB_ENV.`,
    );
  }
}

/** Appends all of the text or nothing. It starts on a line of its own. */
function append(file: string, text: string): void {
  const descriptor = openSync(file, constants.O_RDWR | constants.O_APPEND);
  try {
    const { size } = fstatSync(descriptor);
    const last = Buffer.alloc(1);
    const isOnLine = size === 0 || (readSync(descriptor, last, 0, 1, size - 1), last[0] === 10);
    writeWhole(descriptor, isOnLine ? text : `\n${text}`);
  } finally {
    closeSync(descriptor);
  }
}

/** A mask of fewer digits would hide too much of a log. */
const minMaskedDigits = 6;

/** Returns a command for each line of each secret value, because GitHub masks single lines only. */
export function masksOf(variables: readonly Variable[]): string {
  const lines = variables
    .filter(({ secret }) => secret)
    .flatMap(({ shownName, value }) => {
      if (typeof value !== "string" && !isMaskable(value)) {
        throw argumentInvalid(
          `GitHub cannot mask ${shownName}: its value is a boolean or a short number. Use --format json --output <file> instead.`,
        );
      }
      const lines = String(value).split("\n");
      if (lines.some(isJoined)) {
        throw argumentInvalid(
          `GitHub cannot mask ${shownName}: a line of its value starts with a combining or invisible character. Use --format json --output <file> instead.`,
        );
      }
      return lines;
    })
    .filter((line) => line.trim() !== "");
  return [...new Set(lines)].map((line) => `::add-mask::${escapeData(line)}\n`).join("");
}

function isMaskable(value: number | boolean): boolean {
  return typeof value === "number" && String(value).replace(/\D/g, "").length >= minMaskedDigits;
}

const collator = new Intl.Collator("en");
const segmenter = new Intl.Segmenter("en");

/**
 * Whether a line starts with a character that ICU ignores, or takes for a part of the colon before it. The
 * runner looks for the end of a command with ICU, and would not find it before such a line.
 */
function isJoined(line: string): boolean {
  if (line === "") return false;
  const first = String.fromCodePoint(line.codePointAt(0) as number);
  const [colon] = segmenter.segment(`:${first}`);
  return colon?.segment !== ":" || collator.compare(first, "") === 0;
}

/** Escapes as GitHub documents it. A line contains no line feed. */
function escapeData(line: string): string {
  return line.replaceAll("%", "%25").replaceAll("\r", "%0D");
}

/** Prints a text and waits until the reader has it. Unmasked credentials must not get into a job. */
function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stderr.write(text, (error) => {
      if (!error) return resolve();
      reject(
        argumentInvalid(
          "GitHub did not receive the masks of the credentials, so nothing was appended to GITHUB_ENV. Leave standard error to the runner.",
        ),
      );
    });
  });
}
