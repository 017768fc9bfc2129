/* Types that several public functions share. */
import type * as pulumi from "@pulumi/pulumi";
import type { CodeRepository, Database, Project } from "../../provider/model/project.js";
import type { ConnectionSettings } from "../../provider/settings/settingsTable.js";

/** Options of the functions that return a Promise. */
export interface ReadOptions {
  /** The service to read: a config namespace, or an object of settings. Default `"project-service"`. */
  connection?: string | ConnectionSettings | undefined;
  /** Has no effect. Components pass it to every function. */
  parent?: pulumi.Resource | undefined;
  /** Has no effect, because there is no provider resource. `connection` chooses the service. */
  provider?: pulumi.ProviderResource | undefined;
  /** Has no effect. */
  version?: string | undefined;
  /** Has no effect. */
  pluginDownloadURL?: string | undefined;
  /** Has no effect. */
  async?: boolean | undefined;
}

/** Like {@link ConnectionSettings}, with Inputs. */
export type ConnectionSettingsInputs = {
  [K in keyof Omit<ConnectionSettings, "headers">]: pulumi.Input<ConnectionSettings[K]>;
} & { headers?: pulumi.Input<Record<string, pulumi.Input<string>> | undefined> };

/** Options of the functions that return an Output. */
export interface ReadOutputOptions extends Omit<ReadOptions, "connection"> {
  /** As in {@link ReadOptions}. The values of a settings object may be Outputs, also secret ones. */
  connection?: string | ConnectionSettingsInputs | undefined;
  /**
   * Custom resources to wait for, not components. If a preview has not created one of them yet, the result is unknown
   * and no request is sent.
   */
  dependsOn?: pulumi.InvokeOutputOptions["dependsOn"] | undefined;
}

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

/** The argument that decides whether a result has credentials. */
export interface CredentialsArgs<C extends boolean> {
  /**
   * Whether the result has the credentials `username`, `password` and `importRepository`. A literal, because it
   * decides the type of the result. Default true.
   */
  includeCredentials?: (C & (boolean extends C ? never : C)) | undefined;
}

/** Arguments of both snapshots. `C` is the type of `includeCredentials`, `F` of `fields`, and undefined without them. */
export interface SnapshotArgs<C extends boolean, F> {
  /** Whether the state contains all `credentials`, encrypted. A literal. Default false. */
  includeCredentials?: C | undefined;
  /**
   * The config namespace of the service, not an object of settings: `pulumi refresh` does not run the
   * program, and uses the config that Pulumi keeps. Default `"project-service"`.
   */
  connection?: string | undefined;
  /**
   * Records only these fields of a project, and its id, name and flags. A literal list of paths, or of their starts,
   * such as `environments.branch`. Elements of lists keep what identifies them. The project is still read whole, and
   * `credentials` are recorded whole. Default: all fields.
   */
  fields?: F | undefined;
}
