/* Leaves out the credentials of a response, or keeps them, and makes the error about one that the response lacks. */
import { displayText } from "../errors/displayText.js";
import { ProjectServiceError } from "../errors/projectServiceError.js";
import type { Database } from "../model/project.js";

/**
 * Decides what becomes of a credential: called with the object to which it belongs, its key and its value,
 * which is undefined if the response lacks it, and may be empty.
 */
export type CredentialMapper = (object: object, key: string, value: unknown) => void;

export const withoutCredentials: CredentialMapper = () => {};

/** Keeps the credentials as plain values. One that the response lacks is undefined. */
export const keepCredentials: CredentialMapper = (object, key, value) => {
  (object as Record<string, unknown>)[key] = value;
};

export const readWithoutAdvice =
  "read without credentials (includeCredentials: false, or a command without --credentials)";

/**
 * Returns the error about one credential that the response lacks or has as an empty text, although it has others.
 *
 * @param owner the repository or the database.
 * @param projectId for a record, which can have many projects.
 */
export function missingCredential(key: string, owner: object, projectId?: string) {
  const place =
    key === "importRepository"
      ? "the repository"
      : `the database "${displayText((owner as Database).name)}"`;
  const ofProject = projectId === undefined ? "" : ` of project ${displayText(projectId)}`;
  return new ProjectServiceError(
    "RESPONSE_INVALID",
    `The service shows no ${key} of ${place}${ofProject}, or an empty one. Set it there, give this user access to it, or ${readWithoutAdvice}.`,
  );
}

/**
 * Returns user name and password of a database that was read with its credentials. Each may still be an Output.
 *
 * @throws ProjectServiceError `RESPONSE_INVALID` if one is missing or empty.
 */
export function requireLogin(database: Database, projectId?: string) {
  const { username, password } = database as Database & Record<"username" | "password", string>;
  for (const [key, value] of Object.entries({ username, password })) {
    if (!value) throw missingCredential(key, database, projectId);
  }
  return { username, password };
}
