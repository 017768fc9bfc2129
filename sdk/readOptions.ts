import * as pulumi from "@pulumi/pulumi";
import type { ConnectionSettings } from "../provider/connectionSettings.js";
import { ProjectServiceError } from "../provider/errors.js";
import type { Settings } from "../provider/settings.js";
import { checkKeys } from "./checkArguments.js";
import { resolveConnection } from "./config.js";

/** Options of the functions that give a Promise. */
export interface ReadOptions {
  /**
   * Which service to read: a config namespace, or settings as an object. Keys missing in the object
   * are looked up in the default namespace and the environment. Default `"project-service"`.
   */
  connection?: string | ConnectionSettings;
}

/** Options of the functions that give an Output. */
export interface ReadOutputOptions {
  /** As in {@link ReadOptions}; the values of a settings object may be Outputs, secret ones too. */
  connection?: string | { [K in keyof ConnectionSettings]: pulumi.Input<ConnectionSettings[K]> };
  /**
   * Custom resources to wait for. While a preview has yet to create one of them, the result is
   * unknown and nothing is requested.
   */
  dependsOn?:
    pulumi.Input<pulumi.Input<pulumi.CustomResource>[]> | pulumi.Input<pulumi.CustomResource>;
}

/**
 * The settings that a function in Promise form is to read with.
 *
 * @internal
 */
export function settingsOf(options: ReadOptions): Settings {
  checkKeys("The options", options, ["connection"]);
  return resolveConnection(options.connection);
}

/**
 * Runs `read` once all its inputs are known.
 *
 * Settings in a config namespace are resolved at the call: a program without them ends there, with
 * one error. One secret in what is applied over would make the whole result secret; the settings,
 * which are no part of the result, are taken out of that account.
 *
 * @internal
 */
export function readOutput<A, R>(
  args: pulumi.Inputs,
  options: ReadOutputOptions,
  read: (args: A, settings: Settings) => Promise<R>,
): pulumi.Output<R> {
  checkKeys("The options", options, ["connection", "dependsOn"]);
  const { connection, dependsOn } = options;
  const settings =
    typeof connection === "object"
      ? pulumi.unsecret(pulumi.output(connection)).apply(resolveConnection)
      : resolveConnection(connection);
  return pulumi
    .all([pulumi.output(args), settings, idsOf(dependsOn)])
    .apply(([knownArgs, knownSettings]) => read(knownArgs as A, knownSettings));
}

function idsOf(dependsOn: ReadOutputOptions["dependsOn"]): pulumi.Output<string[]> {
  return pulumi.output(dependsOn).apply((resources) => {
    const list = resources === undefined ? [] : Array.isArray(resources) ? resources : [resources];
    return pulumi.all(
      list.map((resource: unknown) => {
        if (!pulumi.CustomResource.isInstance(resource)) {
          throw new ProjectServiceError(
            "ARGUMENT_INVALID",
            "dependsOn takes custom resources. Pass the ones in a component that have to exist first.",
          );
        }
        return resource.id;
      }),
    );
  });
}
