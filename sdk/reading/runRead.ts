import * as pulumi from "@pulumi/pulumi";
import type { ProjectService } from "../../provider/service/projectService.js";
import type { ProgressListener } from "../../provider/service/readEach.js";
import { argumentInvalid, ProjectServiceError } from "../../provider/errors/projectServiceError.js";
import type { Settings } from "../../provider/settings/resolveSettings.js";
import {
  type ArgumentCheck,
  callPlace,
  checkShape,
  isPending,
  refuseConnection,
  withPlace,
} from "./checkArguments.js";
import {
  hasProgramFailed,
  isInlineProgram,
  waitForErrors,
  waitForOutput,
  waitForRead,
} from "./inlineProgram.js";
import { avoidWarning, plainPromise } from "./pulumiPromises.js";
import type { ReadOptions, ReadOutputOptions } from "./readOptions.js";
import { errorOfProgram, plainConnection, resolveConnection } from "./resolveConnection.js";

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
  const call = new Error();
  const settings = withPlace(call, () => {
    const caller = { name, takesOutputs: false };
    refuseConnection(name, args, "second argument");
    check(caller, args);
    checkShape(caller, "isReadOptions", options, "The options");
    return resolveConnection(options.connection);
  });
  return runRead(() => namingCall(call, "", read(args as A, settings, false)));
}

/** Runs a read. An inline program waits for it. */
export function runRead<R>(read: () => Promise<R>): Promise<R> {
  if (hasProgramFailed()) return neverSettles;
  const result = plainPromise(read, (error) => {
    const own = error instanceof ProjectServiceError ? errorOfProgram(error) : error;
    avoidWarning(own);
    return own;
  });
  waitForRead(result);
  return result;
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
    const caller = { name: outputName, takesOutputs: true };
    refuseConnection(outputName, args, "second argument");
    check(caller, args);
    const shallow = { ...options, dependsOn: undefined };
    checkShape(caller, "isReadOutputOptions", shallow, "The options");
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
          // If the Output is an input of a resource, Pulumi prints the error without any other hint.
          return namingCall(call, `${outputName}: `, read(knownArgs as A, knownSettings, isSecret));
        }),
      ),
    );
  waitForOutput(result);
  return result;
}

const neverSettles = new Promise<never>(() => {});

/**
 * Adds a prefix and the place of the call to an error about one project. Errors about the service as a whole
 * stay as they are, because several calls share them.
 */
async function namingCall<R>(call: Error, prefix: string, result: Promise<R>): Promise<R> {
  try {
    return await result;
  } catch (error) {
    if (!(error instanceof ProjectServiceError) || !isAboutProject(error)) throw error;
    const place = callPlace(call);
    const suffix = place === undefined ? "" : ` (${place})`;
    throw new ProjectServiceError(error.code, `${prefix}${error.message}${suffix}`, error);
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

/** Returns the service with these settings. The first call loads axios and the rest of the client. */
export async function loadProjectService(settings: Settings): Promise<ProjectService> {
  const { getProjectService } = await import("../../provider/service/projectService.js");
  return getProjectService(settings, showStatus);
}

/**
 * Returns a listener that shows the progress of a long read in Pulumi's status line, or `undefined`
 * if there is no status line.
 */
export async function progressListener(): Promise<ProgressListener | undefined> {
  if (!hasStatusLine()) return undefined;
  const { pacedProgress } = await import("../../provider/service/readEach.js");
  return pacedProgress((done, total) =>
    showStatus(`Reading projects: ${grouped(done)} of ${grouped(total)}`),
  );
}

/** Returns a listener that warns that filters leave no project, and why if they are not secret. */
export function noMatchListener(
  functionName: string,
  isSecret: boolean,
): (explanation: string) => void {
  return (explanation) => {
    const shown = isSecret ? "No project matches the filters." : explanation;
    void pulumi.log.warn(`${functionName}: ${shown}`);
  };
}

/** Shows a line in Pulumi's status line. A plain script has none, and its output is its own. */
function showStatus(line: string): void {
  if (!pulumi.runtime.hasEngine() && !isInlineProgram()) return;
  void pulumi.log.info(line, undefined, undefined, true);
}

/**
 * Without an engine, Pulumi's log prints every line. If its output is not a terminal, the engine does
 * the same, but a program cannot find that out, except in CI.
 */
function hasStatusLine(): boolean {
  return pulumi.runtime.hasEngine() && !isCi();
}

/** Most CI systems set `CI`. The others set one of these variables. */
function isCi(): boolean {
  const { env } = process;
  if (env["CI"]) return env["CI"] !== "false";
  return ["CODEBUILD_BUILD_ID", "JENKINS_URL", "TEAMCITY_VERSION", "TF_BUILD"].some(
    (name) => env[name],
  );
}

/** Returns for instance `1,000`, in every locale. */
function grouped(count: number): string {
  return count.toLocaleString("en-US");
}
