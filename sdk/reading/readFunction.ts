import * as pulumi from "@pulumi/pulumi";
import { argumentInvalid } from "../../provider/errors/argumentInvalid.js";
import { ProjectServiceError } from "../../provider/errors/projectServiceError.js";
import type { Settings } from "../../provider/settings/resolveSettings.js";
import type { ReadOptions, ReadOutputOptions } from "./readOptions.js";
import { avoidWarning } from "./lateHandlers.js";
import { argumentInvalidAt } from "./callPlace.js";
import { errorOfProgram } from "./configWarnings.js";
import { detach } from "./detach.js";
import { hasProgramFailed, waitForErrors, waitForOutput, waitForRead } from "./inlineProgram.js";
import {
  type ArgumentCheck,
  checkKeys,
  isOrContainsPending,
  isPending,
  refuseConnection,
} from "./checkArguments.js";
import { plainConnection, resolveConnection } from "./resolveConnection.js";

/** A function that reads the service, for its two forms. */
export interface ReadFunction<A extends object, R> {
  /** The name of the Promise form. */
  readonly name: string;
  /** The name of the Output form. Default: `name` with "Output" appended. */
  readonly outputName?: string;
  readonly check: ArgumentCheck;
  /**
   * Reads the service, after the arguments were checked and the settings resolved.
   *
   * @param isSecret whether errors must not contain the arguments.
   */
  readonly read: (args: A, settings: Settings, isSecret: boolean) => Promise<R>;
}

/** Runs the Promise form. */
export function readPromise<A extends object, R>(
  { name, check, read }: ReadFunction<A, R>,
  args: object,
  options: ReadOptions,
): Promise<R> {
  waitForErrors();
  const settings = withPlace(new Error(), () => {
    refuseConnection(name, args, "second argument");
    check({ name, takesOutputs: false }, args);
    return settingsOf(options);
  });
  return runRead(() => read(args as A, settings, false));
}

/** Runs a read. An inline program waits for it. */
function runRead<R>(read: () => Promise<R>): Promise<R> {
  if (hasProgramFailed()) return neverSettles;
  const result = detach(read, (error) => {
    const own = error instanceof ProjectServiceError ? errorOfProgram(error) : error;
    avoidWarning(own);
    return own;
  });
  waitForRead(result);
  return result;
}

/** Adds the place of the call, in which `call` was created, to an error about its arguments. */
function withPlace<T>(call: Error, task: () => T): T {
  try {
    return task();
  } catch (error) {
    if (!(error instanceof ProjectServiceError) || error.code !== "ARGUMENT_INVALID") throw error;
    throw argumentInvalidAt(call, error.message);
  }
}

function settingsOf(options: ReadOptions): Settings {
  checkKeys("The options", options, ["connection"]);
  const { connection } = options;
  if (typeof connection === "object" && Object.values(connection ?? {}).some(isOrContainsPending)) {
    throw argumentInvalid(
      "connection must not contain Outputs or Promises here. Use the function that returns an Output, such as getProjectOutput.",
    );
  }
  return resolveConnection(connection);
}

/**
 * Runs the Output form: reads the service when all inputs are known.
 *
 * Problems with the settings that are known already are thrown by the call itself. The program then
 * ends with one error, and not with one for each Output that waits. Problems with values that arrive
 * later reject the Output.
 *
 * Pulumi makes the result of `apply` secret if any of its inputs is secret. The settings are not part
 * of the result, so they are marked as not secret for that purpose.
 */
export function readOutput<A extends object, R>(
  { name, outputName = `${name}Output`, check, read }: ReadFunction<A, R>,
  args: object,
  options: ReadOutputOptions,
): pulumi.Output<R> {
  waitForErrors();
  const call = new Error();
  const { dependsOn } = options;
  const connection = plainConnection(options.connection);
  const settings = withPlace(call, () => {
    refuseConnection(outputName, args, "second argument");
    check({ name: outputName, takesOutputs: true }, args);
    checkKeys("The options", options, ["connection", "dependsOn"]);
    for (const resource of resourcesIn(dependsOn)) checkResource(resource);
    return resolveConnection(connection);
  });
  const argsOutput = pulumi.output(args);
  const result = pulumi
    .all([
      argsOutput,
      typeof connection === "object" ? pulumi.unsecret(pulumi.output(connection)) : undefined,
      pulumi.output(dependsOn),
    ])
    .apply(([knownArgs, knownConnection, resources]) =>
      idsOf(resources).apply(() =>
        runRead(async () => {
          const isSecret = await pulumi.isSecret(argsOutput);
          const knownSettings = withPlace(call, () => {
            for (const resource of resourcesIn(resources)) checkResource(resource);
            check({ name: outputName, takesOutputs: false }, knownArgs);
            return knownConnection === undefined ? settings : resolveConnection(knownConnection);
          });
          return withFunctionName(outputName, read(knownArgs as A, knownSettings, isSecret));
        }),
      ),
    );
  waitForOutput(result);
  return result;
}

const neverSettles = new Promise<never>(() => {});

/**
 * Adds the name of the function to an error about one project. If the Output is an input of a
 * resource, Pulumi prints the error without any other hint.
 *
 * Errors about the service as a whole stay as they are, because several functions share them.
 */
async function withFunctionName<R>(name: string, result: Promise<R>): Promise<R> {
  try {
    return await result;
  } catch (error) {
    if (!(error instanceof ProjectServiceError) || !isAboutProject(error)) throw error;
    throw new ProjectServiceError(error.code, `${name}: ${error.message}`, error);
  }
}

function isAboutProject({ projectId, code }: ProjectServiceError): boolean {
  return projectId !== undefined || code === "NOT_FOUND" || code === "AMBIGUOUS_NAME";
}

/** Returns an Output that is unknown until all resources have been created. */
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
  throw argumentInvalid(
    "dependsOn must contain custom resources only. For a component, pass the resources in it that must exist first.",
  );
}
