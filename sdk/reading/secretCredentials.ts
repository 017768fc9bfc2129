import type { CredentialsMapper } from "../../provider/wire/mapping.js";
import type { CodeRepositoryWithImport, DatabaseWithCredentials } from "./credentials.js";
import { defineLazyOutput } from "./lazyOutput.js";
import { secretWithoutText } from "./secretWithoutText.js";

/**
 * Makes each credential a secret Output of its own, so that the fields beside it stay plain.
 *
 * A secret Output costs about 6 KB and 30 µs. It is created when a program first reads the property.
 */
export const secretCredentials: CredentialsMapper<
  CodeRepositoryWithImport,
  DatabaseWithCredentials
> = {
  database(database, { username, password }) {
    defineLazyOutput(database, "username", secretWithoutText, username);
    defineLazyOutput(database, "password", secretWithoutText, password);
    return database as DatabaseWithCredentials;
  },
  repository(repository, importRepository) {
    if (importRepository === undefined || importRepository === null) {
      return { ...repository, importRepository: importRepository as null };
    }
    defineLazyOutput(repository, "importRepository", secretWithoutText, importRepository);
    return repository as CodeRepositoryWithImport;
  },
};
