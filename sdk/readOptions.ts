import { setTimeout as sleep } from "node:timers/promises";
import * as pulumi from "@pulumi/pulumi";
import type { ConnectionSettings } from "../provider/connectionSettings.js";
import { ProjectServiceError } from "../provider/errors.js";
import type { Settings } from "../provider/resolveSettings.js";
import { type ArgumentCheck, checkKeys, isOrHoldsPending, isPending } from "./checkArguments.js";
import { plainConnection, resolveConnection } from "./config.js";

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
    | pulumi.Input<pulumi.Input<pulumi.CustomResource>[]>
    | pulumi.Input<pulumi.CustomResource>
    | undefined;
}

/**
 * A function that reads, in its two forms.
 *
 * @internal
 */
export interface ReadFunction<A extends object, R> {
  /** The name of the Promise form. */
  readonly name: string;
  /** The name of the Output form. Default: `name` and "Output". */
  readonly outputName?: string;
  readonly check: ArgumentCheck;
  /** Reads with arguments that are known and checked. */
  readonly read: (args: A, settings: Settings) => Promise<R>;
}

/**
 * Reads in Promise form.
 *
 * @internal
 */
export function readPromise<A extends object, R>(
  { name, check, read }: ReadFunction<A, R>,
  args: A,
  options: ReadOptions,
): Promise<R> {
  check({ name, takesOutputs: false }, args);
  return read(args, settingsOf(options));
}

function settingsOf(options: ReadOptions): Settings {
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

/** Pulumi begins to wait for the outputs of a stack some ms after the program has been loaded. */
const earliestFailureMs = 100;

/**
 * Reads in Output form, once all inputs are known.
 *
 * What is wrong with the settings is said at the call, as far as they are known: the program ends
 * there, with one error, and not with one for each Output that waits for it. What is wrong with
 * values that come later is said by the Output that the caller gets, and not before Pulumi waits for
 * it: Node prints warnings about a promise that fails before anybody waits.
 *
 * One secret in what is applied over would make the whole result secret. The settings are no part of
 * the result, so they are taken out of that account.
 *
 * @internal
 */
export function readOutput<A extends object, R>(
  { name, outputName = `${name}Output`, check, read }: ReadFunction<A, R>,
  args: object,
  options: ReadOutputOptions,
): pulumi.Output<R> {
  check({ name: outputName, takesOutputs: true }, args);
  checkKeys("The options", options, ["connection", "dependsOn"]);
  const { dependsOn } = options;
  const connection = plainConnection(options.connection);
  const settings = resolveConnection(connection);
  for (const resource of resourcesIn(dependsOn)) checkResource(resource);
  return pulumi
    .all([
      pulumi.output(args),
      typeof connection === "object" ? pulumi.unsecret(pulumi.output(connection)) : undefined,
      pulumi.output(dependsOn),
    ])
    .apply(([knownArgs, knownConnection, resources]) =>
      idsOf(resources).apply(() =>
        failingLate(() => {
          for (const resource of resourcesIn(resources)) checkResource(resource);
          const knownSettings =
            knownConnection === undefined ? settings : resolveConnection(knownConnection);
          check({ name: outputName, takesOutputs: false }, knownArgs);
          return read(knownArgs as A, knownSettings);
        }),
      ),
    );
}

async function failingLate<R>(task: () => Promise<R>): Promise<R> {
  const startMs = performance.now();
  try {
    return await task();
  } catch (error) {
    await sleep(Math.max(0, startMs + earliestFailureMs - performance.now()));
    throw error;
  }
}

/** Unknown while one of them has yet to be created. */
function idsOf(dependsOn: unknown): pulumi.Output<unknown> {
  const resources = resourcesIn(dependsOn).filter((resource) =>
    pulumi.CustomResource.isInstance(resource),
  );
  return pulumi.all(resources.map(({ id }) => id));
}

function resourcesIn(dependsOn: unknown): unknown[] {
  return [dependsOn].flat().filter((resource) => resource !== undefined && resource !== null);
}

function checkResource(resource: unknown): void {
  if (isPending(resource) || pulumi.CustomResource.isInstance(resource)) return;
  throw new ProjectServiceError(
    "ARGUMENT_INVALID",
    "dependsOn takes custom resources. Of a component, pass the resources that have to exist first.",
  );
}
