import { randomUUID } from "node:crypto";
import { displayJson } from "../../provider/errors/displayText.js";
import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import type { Variable } from "../values/variables.js";

/** A format in which each variable is a text of its own. */
interface LineFormat {
  readonly write: (name: string, value: string) => string;
  /** The values that it cannot carry unchanged. */
  readonly refused: RegExp;
  /** Describes these values in the message, for instance `a carriage return`. */
  readonly rule: string;
}

export const envFormats = ["dotenv", "docker", "github", "gitlab", "json"] as const;

export type EnvFormat = (typeof envFormats)[number];

const lineFormats: Readonly<Record<Exclude<EnvFormat, "json">, LineFormat>> = {
  dotenv: {
    // Single quotes keep every other character. Double quotes are for values with a single quote. A reader
    // would take a backslash at the end together with the quote behind it.
    write: (name, value) => `${name}=${value.includes("'") ? `"${value}"` : `'${value}'`}\n`,
    // After =" Laravel's reader looks for another quote, and loses this variable and those below it:
    // https://github.com/vlucas/phpdotenv/blob/v5.6.2/src/Parser/Lines.php
    refused: /\r|="|\\$|'[^]*["\\$`]|["\\$`][^]*'/,
    rule: 'a carriage return, =", a backslash at its end, or a single quote together with one of " \\ $ `',
  },
  docker: {
    // The rest of the line is the value: https://docs.docker.com/reference/cli/docker/container/run/#env
    write: (name, value) => `${name}=${value}\n`,
    refused: /[\r\n]/,
    rule: "a line break or a carriage return",
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
    rule: "white space or a $",
  },
};

/** Refuses a variable that the format cannot carry, by its name. The message does not contain its value. */
export function formatVariables(variables: readonly Variable[], format: EnvFormat): string {
  if (format === "json") {
    const values = Object.fromEntries(variables.map(({ name, value }) => [name, value]));
    return `${displayJson(values)}\n`;
  }
  const { write, refused, rule } = lineFormats[format];
  const cannotCarry = (name: string, problem: string) =>
    argumentInvalid(
      `The format ${format} cannot carry ${name}: its value has ${problem}. Use --format json, or start the program that reads it with pulumi-project-service run.`,
    );
  return variables
    .map(({ name, value }) => {
      const text = String(value);
      if (/\0/.test(text) || !text.isWellFormed()) {
        throw cannotCarry(name, "a NUL character or is not valid Unicode");
      }
      if (refused.test(text)) throw cannotCarry(name, rule);
      return write(name, text);
    })
    .join("");
}
