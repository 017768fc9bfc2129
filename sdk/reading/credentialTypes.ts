import type * as pulumi from "@pulumi/pulumi";
import type { CodeRepository, Database, Project } from "../../provider/model/project.js";

/** A database with its credentials. */
export interface DatabaseWithCredentials extends Database {
  /** Secret. */
  readonly username: pulumi.Output<string>;
  /** Secret. */
  readonly password: pulumi.Output<string>;
}

/** A repository with the address from which it was imported. */
export interface CodeRepositoryWithImport extends CodeRepository {
  /** `null` if nothing was imported. Otherwise secret, because an import address can contain a token. */
  readonly importRepository: pulumi.Output<unknown> | null;
}

/** A project with its credentials, each a secret Output. */
export type ProjectWithCredentials = Project<CodeRepositoryWithImport, DatabaseWithCredentials>;

/** The default. A variable of type boolean is refused, because the value decides the type of the result. */
export interface WithCredentials {
  /** Whether the result has credentials: `username`, `password` and `importRepository`. Default true. */
  includeCredentials?: true | undefined;
}

export interface WithoutCredentials {
  /** Leaves out `username`, `password` and `importRepository`. */
  includeCredentials: false;
}
