import { readFileSync } from "node:fs";
import { displayText } from "../provider/errors/displayText.js";
import { argumentInvalid } from "../provider/errors/projectServiceError.js";

/**
 * Reads a JSON file that an option names, and returns what `check` makes of it.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID`, which names the option and the file.
 */
export function readJsonFile<T>(path: string, option: string, check: (json: unknown) => T): T {
  try {
    return check(parseJson(readFileSync(path, "utf8"), "the file"));
  } catch (error) {
    const { syscall, code, message } = error as NodeJS.ErrnoException;
    const reason = syscall === undefined ? message.replace(/\.$/, "") : `${code}. Check the path`;
    throw argumentInvalid(`Reading ${option} ${displayText(path, 1000)} failed: ${reason}.`);
  }
}

/**
 * Parses JSON. A byte order mark at its start is skipped.
 *
 * @param source the subject of the error.
 * @throws ProjectServiceError `ARGUMENT_INVALID`, with the line of the mistake if Node tells its position.
 */
export function parseJson(text: string, source: string): unknown {
  const json = text.replace(/^\ufeff/, "");
  try {
    return JSON.parse(json);
  } catch (error) {
    // The rest of the message of Node 20 and newer quotes the text, which may be a password.
    const [, position] = / JSON at position (\d+)(?: \(.*\))?$/.exec(String(error)) ?? [];
    const place =
      position === undefined
        ? ""
        : ` at line ${json.slice(0, Number(position)).split("\n").length}`;
    throw argumentInvalid(`${source} is not valid JSON${place}.`);
  }
}
