import { randomUUID } from "node:crypto";
import { displayJson } from "../../provider/errors/displayText.js";
import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import type { Variable } from "./variables.js";

/** A format in which each variable is a text of its own. */
interface LineFormat {
  readonly write: (name: string, value: string) => string;
  /** The values that it cannot carry unchanged. */
  readonly refused?: RegExp;
  /** Describes these values in the message, for instance `a carriage return`. */
  readonly rule?: string;
}

/** The names that a user can pass as `--format`. */
export const envFormats = ["dotenv", "github", "gitlab", "json", "shell"] as const;

export type EnvFormat = (typeof envFormats)[number];

const lineFormats: Readonly<Record<Exclude<EnvFormat, "json">, LineFormat>> = {
  dotenv: {
    // Single quotes keep every other character. Double quotes are for values with a single quote. A reader
    // would take a backslash at the end together with the quote behind it.
    write: (name, value) => `${name}=${value.includes("'") ? `"${value}"` : `'${value}'`}\n`,
    refused: /\r|\\$|'[^]*["\\$`]|["\\$`][^]*'/,
    rule: 'a carriage return, a backslash at its end, or a single quote together with one of " \\ $ `',
  },
  github: {
    write: (name, value) => {
      const delimiter = `end_${randomUUID()}`;
      return `${name}<<${delimiter}\n${value}\n${delimiter}\n`;
    },
    refused: /\r/,
    rule: "a carriage return",
  },
  gitlab: {
    write: (name, value) => `${name}=${value}\n`,
    // GitLab may expand the $: https://docs.gitlab.com/ci/variables/dotenv_variables
    refused: /[\s$]/,
    rule: "a space, a line break or a $",
  },
  shell: { write: (name, value) => `export ${name}='${value.replaceAll("'", "'\\''")}'\n` },
};

/**
 * Returns the variables as a text in a format.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` that names the variable which the format cannot carry.
 *   The message does not contain its value.
 */
export function formatVariables(variables: readonly Variable[], format: EnvFormat): string {
  if (format === "json") {
    const values = Object.fromEntries(variables.map(({ name, value }) => [name, value]));
    return `${displayJson(values)}\n`;
  }
  const { write, refused, rule } = lineFormats[format];
  const cannotCarry = (shownName: string, problem: string) =>
    argumentInvalid(
      `The format ${format} cannot carry ${shownName}: its value has ${problem}. Use --format json instead.`,
    );
  return variables
    .map(({ name, shownName, value }) => {
      const text = String(value);
      if (/\0/.test(text) || !text.isWellFormed()) {
        throw cannotCarry(shownName, "a NUL character or is not valid Unicode");
      }
      if (refused?.test(text)) throw cannotCarry(shownName, String(rule));
      return write(name, text);
    })
    .join("");
}

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
  // Escaped as in https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts. A line has no line feed.
  const escaped = lines.map((line) => line.replaceAll("%", "%25").replaceAll("\r", "%0D"));
  return [...new Set(escaped)].map((line) => `::add-mask::${line}\n`).join("");
}

/**
 * The runner looks for the end of a command with ICU, which ignores some characters, and takes others for a part
 * of the colon before them. It would print such a line. These characters are certain.
 * https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs
 */
const maskable = /^([\t\r -~\p{Lu}\p{Ll}\p{Script=Han}]|$)/u;
