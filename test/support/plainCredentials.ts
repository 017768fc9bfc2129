import type { CodeRepository, Database } from "../../provider/model/project.js";
import type { CredentialsMapper } from "../../provider/wire/mapping.js";

/** Keeps all credentials in clear, so that a test can look at them. */
export const plainCredentials: CredentialsMapper<
  CodeRepository & { importRepository: unknown },
  Database & { username: string; password: string }
> = {
  repository: (repository, importRepository) => ({ ...repository, importRepository }),
  database: (database, { username, password }) => ({ ...database, username, password }),
};
