import { displayText } from "../errors/displayText.js";
import { ProjectServiceError } from "../errors/projectServiceError.js";

/**
 * Returns the error about one credential that the response lacks, although it has others.
 *
 * @param owner `the repository` or `the database`.
 * @param name the name of the owner. Undefined if it may be secret.
 */
export function missingCredential(
  key: string,
  owner: string,
  name: string | undefined,
): ProjectServiceError {
  const place = name === undefined ? owner : `${owner} "${displayText(name)}"`;
  return new ProjectServiceError(
    "RESPONSE_INVALID",
    `The service shows no ${key} of ${place}. Check there whether it has one and whether this user may see it, or pass includeCredentials: false.`,
  );
}
