import { argumentInvalid } from "../provider/errors/projectServiceError.js";

/**
 * Parses JSON that a user passes. A byte order mark at its start is skipped.
 *
 * @param content what the JSON must contain, as a sentence for the error.
 * @param source the subject of the error.
 * @throws ProjectServiceError `ARGUMENT_INVALID`, with the line of the mistake if Node tells its position.
 */
export function parseJsonText(text: string, content: string, source = "the file"): unknown {
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
    throw argumentInvalid(`${source} is not valid JSON${place}. ${content}`.trim());
  }
}
