import { randomUUID } from "node:crypto";
import { displayJson } from "../../audit/report/jsonFormat.js";
import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import type { Variable } from "./variables.js";

/** The names that a user can pass as `--format`. */
export const formatNames = ["dotenv", "github", "gitlab", "shell", "json"] as const;

/** One of {@link formatNames}. */
export type FormatName = (typeof formatNames)[number];

/**
 * Returns the variables as a text in a format.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` that names the variable which the format cannot carry.
 *   The message does not contain its value.
 */
export function formatVariables(variables: readonly Variable[], format: FormatName): string {
  if (format === "json") return jsonText(variables);
  const lines = variables.map(({ name, shownName, value }) => {
    const text = String(value);
    const problem = problemOfAll(text) ?? problems[format](text, name);
    if (problem !== undefined) throw cannotCarry(format, shownName, problem);
    return writers[format](name, text);
  });
  const text = lines.join("");
  if (format === "gitlab") checkGitlabSize(text);
  return text;
}

type LineFormat = Exclude<FormatName, "json">;

function jsonText(variables: readonly Variable[]): string {
  const values = Object.fromEntries(variables.map(({ name, value }) => [name, value]));
  return `${displayJson(values)}\n`;
}

const writers: Readonly<Record<LineFormat, (name: string, value: string) => string>> = {
  dotenv: (name, value) => `${name}=${dotenvQuoted(value)}\n`,
  github: (name, value) => {
    const delimiter = `end_${randomUUID()}`;
    return `${name}<<${delimiter}\n${value}\n${delimiter}\n`;
  },
  gitlab: (name, value) => `${name}=${value}\n`,
  shell: (name, value) => `export ${name}='${value.replaceAll("'", "'\\''")}'\n`,
};

/** Says what in a value a format cannot carry. */
const problems: Readonly<Record<LineFormat, (value: string, name: string) => string | undefined>> =
  {
    dotenv: (value) => {
      if (value.includes("\r")) return "its value contains a carriage return";
      // The reader would take the backslash and the quote behind it together.
      if (value.endsWith("\\")) return "its value ends with a backslash";
      if (value.includes("'") && /["\\$`]/.test(value)) {
        return 'its value contains a single quote together with one of " \\ $ `';
      }
      return undefined;
    },
    github: (value, name) => {
      if (value.includes("\r")) return "its value contains a carriage return";
      if (/^(GITHUB|RUNNER)_/i.test(name)) return "GitHub reserves its name";
      return undefined;
    },
    gitlab: (value) => {
      if (/\s/.test(value)) return "its value contains a space or a line break";
      if (value.includes("$")) return "GitLab may expand the $ in its value";
      return undefined;
    },
    shell: () => undefined,
  };

function problemOfAll(value: string): string | undefined {
  if (value.includes("\0")) return "its value contains a NUL character";
  return value.isWellFormed() ? undefined : "its value is not valid Unicode text";
}

/** Single quotes keep every other character. Double quotes are for values with a single quote. */
function dotenvQuoted(value: string): string {
  return value.includes("'") ? `"${value}"` : `'${value}'`;
}

/** The default limit of a GitLab instance. */
const maxGitlabBytes = 5 * 1024;

function checkGitlabSize(text: string): void {
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxGitlabBytes) return;
  throw argumentInvalid(
    `The variables have ${bytes} bytes, and GitLab accepts ${maxGitlabBytes} in a dotenv report. Write a JSON file as a usual artifact instead: --format json --output <file>.`,
  );
}

const alternatives: Readonly<Record<LineFormat, string>> = {
  dotenv: "Use --format shell or --format json instead.",
  github:
    "Use --format json --output <file> instead, or another --prefix if the name is the problem.",
  gitlab: "Write a JSON file as a usual artifact instead: --format json --output <file>.",
  shell: "Use --format json instead.",
};

function cannotCarry(format: LineFormat, name: string, problem: string): Error {
  return argumentInvalid(
    `The format ${format} cannot carry ${name}: ${problem}. ${alternatives[format]}`,
  );
}
