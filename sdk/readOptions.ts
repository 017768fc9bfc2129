import * as pulumi from "@pulumi/pulumi";
import type { ConnectionSettings } from "../provider/connectionSettings.js";
import { ProjectServiceError } from "../provider/errors.js";
import type { Settings } from "../provider/resolveSettings.js";
import { checkKeys, isOrHoldsPending, isPending } from "./checkArguments.js";
import { resolveConnection } from "./config.js";

/** Options of the functions that give a Promise. */
export interface ReadOptions {
  /**
   * Which service to read: a config namespace, or settings as an object. Keys missing in the object
   * are looked up in the default namespace and the environment. Default `"project-service"`.
   */
  connection?: string | ConnectionSettings | undefined;
}

/** As {@link ConnectionSettings}, of Inputs. */
export type ConnectionSettingsInputs = {
  [K in keyof Omit<ConnectionSettings, "headers">]: pulumi.Input<ConnectionSettings[K]>;
} & { headers?: pulumi.Input<Record<string, pulumi.Input<string>>> | undefined };

/** Options of the functions that give an Output. */
export interface ReadOutputOptions {
  /** As in {@link ReadOptions}; the values of a settings object may be Outputs, secret ones too. */
  connection?: string | ConnectionSettingsInputs | undefined;
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
  const { connection } = options;
  if (typeof connection === "object" && Object.values(connection ?? {}).some(isOrHoldsPending)) {
    throw new ProjectServiceError(
      "ARGUMENT_INVALID",
      "A connection that holds Outputs is for the functions that give an Output, such as getProjectOutput.",
    );
  }
  return resolveConnection(connection);
}

/**
 * Runs `read` once all its inputs are known.
 *
 * What is wrong with the settings is said at the call, as far as they are known: the program ends
 * there, with one error, and not with one for each Output that waits for it. One secret in what is
 * applied over would make the whole result secret; the settings, which are no part of the result,
 * are taken out of that account.
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
  const settings = resolveConnection(connection);
  const finalSettings =
    typeof connection === "object"
      ? pulumi.unsecret(pulumi.output(connection)).apply(resolveConnection)
      : settings;
  return pulumi
    .all([pulumi.output(args), finalSettings, idsOf(dependsOn)])
    .apply(([knownArgs, knownSettings]) => read(knownArgs as A, knownSettings));
}

function idsOf(dependsOn: ReadOutputOptions["dependsOn"]): pulumi.Output<string[]> {
  for (const resource of [dependsOn].flat()) checkResource(resource);
  return pulumi.output(dependsOn).apply((resources) => {
    const list = [resources].flat().filter((resource) => resource !== undefined);
    return pulumi.all(
      list.map((resource: unknown) => {
        checkResource(resource);
        return (resource as pulumi.CustomResource).id;
      }),
    );
  });
}

function checkResource(resource: unknown): void {
  if (resource === undefined || isPending(resource)) return;
  if (pulumi.CustomResource.isInstance(resource)) return;
  throw new ProjectServiceError(
    "ARGUMENT_INVALID",
    "dependsOn takes custom resources. Of a component, pass the resources that have to exist first.",
  );
}
