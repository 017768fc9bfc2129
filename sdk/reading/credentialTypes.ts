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

/** `C` is the value of the argument `includeCredentials`. */
export type DatabaseFor<C extends boolean> = C extends false ? Database : DatabaseWithCredentials;

export interface CredentialsArgs<C extends boolean> {
  /**
   * Whether the result has the credentials `username`, `password` and `importRepository`. A literal, because it
   * decides the type of the result. Default true.
   */
  includeCredentials?: (C & (boolean extends C ? never : C)) | undefined;
}
