import * as pulumi from "@pulumi/pulumi";
import type { ProjectService } from "../../provider/service/projectService.js";
import { argumentInvalid, ProjectServiceError } from "../../provider/errors/projectServiceError.js";
import type { Settings } from "../../provider/settings/resolveSettings.js";
import {
  type ArgumentCheck,
  checkShape,
  isPending,
  refuseConnection,
  placedError,
  withPlace,
} from "./checkArguments.js";
import { hasProgramFailed, waitForErrors, waitForOutput, waitForRead } from "./inlineProgram.js";
import { avoidWarning, plainPromise } from "./pulumiPromises.js";
import type { ReadOptions, ReadOutputOptions } from "./readOptions.js";
import { errorOfProgram, resolveConnection } from "./resolveConnection.js";

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
export async function readPromise<A extends object, R>(
  { name, check, read }: ReadFunction<A, R>,
  args: object = {},
  options: ReadOptions = {},
): Promise<R> {
  waitForErrors();
  const call = new Error();
  const settings = withPlace(call, () => {
    const caller = { name, takesOutputs: false };
    refuseConnection(name, args, "second argument");
    check(caller, args);
    checkShape(caller, "isReadOptions", options, "The options");
    return resolveConnection(options.connection);
  });
  return runRead(() => read(args as A, settings, false), call);
}

/**
 * Runs the Output form: reads the service when all inputs are known.
 *
 * Problems with the settings that are known already are thrown by the call itself. The program then
 * ends with one error, and not with one for each Output that waits. Problems with values that arrive
 * later reject the Output.
 */
export function readOutput<A extends object, R>(
  { name, outputName = `${name}Output`, check, read }: ReadFunction<A, R>,
  args: object = {},
  options: ReadOutputOptions = {},
): pulumi.Output<R> {
  waitForErrors();
  const call = new Error();
  const settings = withPlace(call, () => {
    const caller = { name: outputName, takesOutputs: true };
    refuseConnection(outputName, args, "second argument");
    check(caller, args);
    checkShape(caller, "isReadOutputOptions", options, "The options");
    checkResources(options.dependsOn);
    return resolveConnection(options.connection);
  });
  const { connection, dependsOn } = options;
  const argsOutput = pulumi.output(args);
  const resources = pulumi.output(dependsOn);
  // Not in the callback that reads: Pulumi leaves rejections unhandled if a callback returns an Output that fails.
  const ids = resources.apply((known) => pulumi.all(resourcesIn(known).map(({ id }) => id)));
  const result = pulumi
    .all([
      argsOutput,
      // The result is secret if any of these inputs is. The settings are not a part of it.
      typeof connection === "object" ? pulumi.unsecret(pulumi.output(connection)) : undefined,
      resources,
      // Unknown until all resources have been created.
      ids,
    ])
    .apply(([knownArgs, knownConnection, knownResources]) =>
      // If the Output is an input of a resource, Pulumi prints the error without any other hint.
      runRead(
        async () => {
          const isSecret = await pulumi.isSecret(argsOutput);
          const knownSettings = withPlace(call, () => {
            checkResources(knownResources);
            check({ name: outputName, takesOutputs: false }, knownArgs);
            return knownConnection === undefined ? settings : resolveConnection(knownConnection);
          });
          return read(knownArgs as A, knownSettings, isSecret);
        },
        call,
        `${outputName}: `,
      ),
    );
  waitForOutput(result);
  return result;
}

/**
 * Runs a read. An inline program waits for it.
 *
 * @param call the call of the program. An error about one project names its place. Errors about the service
 *   as a whole stay as they are, because several calls share them.
 */
export function runRead<R>(read: () => Promise<R>, call?: Error, prefix?: string): Promise<R> {
  if (hasProgramFailed()) return neverSettles;
  const result = plainPromise(read, (error) => {
    let own = error;
    if (error instanceof ProjectServiceError) {
      const isOfCall = call !== undefined && isAboutProject(error);
      own = errorOfProgram(isOfCall ? placedError(call, error, prefix) : error);
    }
    avoidWarning(own);
    return own;
  });
  waitForRead(result);
  return result;
}

const neverSettles = new Promise<never>(() => {});

function isAboutProject({ projectId, code }: ProjectServiceError): boolean {
  return projectId !== undefined || code === "NOT_FOUND" || code === "AMBIGUOUS_NAME";
}

function checkResources(dependsOn: unknown): void {
  for (const resource of resourcesIn(dependsOn)) {
    if (isPending(resource) || pulumi.CustomResource.isInstance(resource)) continue;
    throw argumentInvalid(
      "dependsOn must contain custom resources only. For a component, pass the resources in it that must exist first.",
    );
  }
}

function resourcesIn(dependsOn: unknown): pulumi.CustomResource[] {
  const resources = [dependsOn].flat() as (pulumi.CustomResource | undefined | null)[];
  return resources.filter((resource) => resource !== undefined && resource !== null);
}

/** Returns the service with these settings. The first call loads axios and the rest of the client. */
export async function loadProjectService(settings: Settings): Promise<ProjectService> {
  const { getProjectService } = await import("../../provider/service/projectService.js");
  return getProjectService(settings);
}
