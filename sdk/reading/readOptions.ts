import type * as pulumi from "@pulumi/pulumi";
import type { ConnectionSettings } from "../../provider/settings/connectionSettings.js";

/** Options of the functions that return a Promise. */
export interface ReadOptions {
  /** The service to read: a config namespace, or an object of settings. Default `"project-service"`. */
  connection?: string | ConnectionSettings | undefined;
}

/** Like {@link ConnectionSettings}, with Inputs. */
export type ConnectionSettingsInputs = {
  [K in keyof Omit<ConnectionSettings, "headers">]: pulumi.Input<ConnectionSettings[K]>;
} & { headers?: pulumi.Input<Record<string, pulumi.Input<string>>> | undefined };

/** Options of the functions that return an Output. */
export interface ReadOutputOptions {
  /** As in {@link ReadOptions}. The values of a settings object may be Outputs, also secret ones. */
  connection?: string | ConnectionSettingsInputs | undefined;
  /**
   * Custom resources to wait for. If a preview has not created one of them yet, the result is unknown
   * and no request is sent.
   */
  dependsOn?:
    | pulumi.Input<pulumi.Input<pulumi.CustomResource>[]>
    | pulumi.Input<pulumi.CustomResource>
    | undefined;
}
