import type * as pulumi from "@pulumi/pulumi";
import type { CodeRepository, Database } from "../provider/project.js";

/** A database with its credentials. */
export interface DatabaseWithCredentials extends Database {
  /** Secret. */
  readonly username: pulumi.Output<string>;
  /** Secret. */
  readonly password: pulumi.Output<string>;
}

/** A repository with the address it was imported from. */
export interface CodeRepositoryWithImport extends CodeRepository {
  /** Null when nothing is imported. Secret otherwise, for an import address can hold a token. */
  readonly importRepository: pulumi.Output<unknown> | null;
}
