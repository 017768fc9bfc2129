import * as pulumi from "@pulumi/pulumi";
import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import { readCounter, withProgress } from "../../provider/reading/progress.js";
import type { ProjectService } from "../../provider/reading/projectService.js";
import {
  defaultNamespace,
  findInConfig,
  findInConnection,
  type FoundSettings,
} from "../../provider/settings/foundSettings.js";
import { resolveSettings, type Settings } from "../../provider/settings/resolveSettings.js";
import { type Caller, checkShape, isPending, isPlainObject } from "./checkArguments.js";
import { isInlineProgram, waitFor, waitForOutput, whileProgramRuns } from "./inlineProgram.js";
import { type Call, checkCall, errorOfProgram, warnOnce } from "./programErrors.js";
import type { ReadOptions, ReadOutputOptions } from "./publicTypes.js";

/** A function that reads the service, for its two forms. */
export interface ReadFunction<A extends object, R> {
  readonly name: string;
  /** Throws ProjectServiceError `ARGUMENT_INVALID`. */
  readonly check: (caller: Caller, args: object) => void;
  /**
   * Reads the service, after the arguments were checked. Its errors may name them, also if they are secret. Its warnings
   * may not, which `service` knows.
   */
  readonly read: (args: A, service: ProjectService) => Promise<R>;
}

/** @template R the result of `read`, in the words of the public types. */
export async function readPromise<A extends object, R>(
  call: Call,
  { name, check, read }: ReadFunction<A, unknown>,
  args: object = {},
  options: ReadOptions = {},
): Promise<R> {
  const settings = checkCall(call, () => {
    const caller = { name, takesOutputs: false };
    check(caller, args);
    checkShape(caller, "isReadOptions", options, "The options");
    return resolveConnection(options.connection);
  });
  return runRead(
    async () => (await read(args as A, await loadProjectService(settings))) as R,
    call,
  );
}

/**
 * Runs the Output form: reads the service when all inputs are known. Problems with the settings that are known already
 * are thrown by the call itself, so that a program ends with one error, and not with one for each Output that waits.
 */
export function readOutput<A extends object, R>(
  call: Call,
  { name, check, read }: ReadFunction<A, unknown>,
  args: object = {},
  options: ReadOutputOptions = {},
  outputName = `${name}Output`,
): pulumi.Output<R> {
  const settings = checkCall(call, () => {
    const caller = { name: outputName, takesOutputs: true };
    check(caller, args);
    checkShape(caller, "isReadOutputOptions", options, "The options");
    return resolveConnection(options.connection);
  });
  const { connection, dependsOn } = options;
  const argsOutput = pulumi.output(args);
  // Pulumi's type also allows components, which have no id. They are refused when all ids are known.
  const resources = pulumi
    .output(dependsOn)
    .apply((known) => [known].flat() as (pulumi.CustomResource | undefined)[]);
  const result = pulumi
    .all([
      argsOutput,
      // The result is secret if any of these inputs is. The settings are not a part of it.
      typeof connection === "object" ? pulumi.unsecret(pulumi.output(connection)) : undefined,
      resources,
      // Unknown until all resources have been created. Not in the callback that reads: Pulumi leaves rejections
      // unhandled if a callback returns an Output that fails.
      resources.apply((known) => pulumi.all(known.map((resource) => resource?.id))),
    ])
    .apply(([knownArgs, knownConnection, knownResources]) =>
      runRead(async () => {
        const isSecret = await pulumi.isSecret(argsOutput);
        if (!knownResources.every((each) => !each || pulumi.CustomResource.isInstance(each))) {
          throw argumentInvalid(
            "dependsOn must contain custom resources only. For a component, pass the resources in it that must exist first, or use one of its outputs as an argument.",
          );
        }
        check({ name: outputName, takesOutputs: false }, knownArgs);
        const known = knownConnection === undefined ? settings : resolveConnection(knownConnection);
        const service = (await loadProjectService(known)).forArguments(isSecret);
        return service.hideArguments(name, () => read(knownArgs as A, service) as Promise<R>);
      }, call),
    );
  waitForOutput(result);
  return result;
}

/** Returns the settings of a connection. Does not wait for an Output or a Promise, but throws for the rest. */
export function resolveConnection(connection: unknown = defaultNamespace): Settings {
  const found = findForProgram(connection);
  found.warnings.forEach(warnOnce);
  const { problems } = found;
  const isInline = isInlineProgram() && typeof connection === "string" && problems.length > 0;
  return resolveSettings(isInline ? { ...found, problems: [...problems, inlineAdvice] } : found);
}

const inlineAdvice =
  "An inline program has the variables of its own process. The envVars of the Automation API do not reach it: pass connection to the functions, and set the stack config for snapshots.";

function findForProgram(connection: unknown): FoundSettings {
  if (isPlainObject(connection)) return findInConnection(connection, isOrContainsPending);
  if (typeof connection !== "string" || !/^[^\s:]+$/.test(connection)) {
    throw argumentInvalid(
      'connection must be an object of settings, or a config namespace such as "project-service", without a colon.',
    );
  }
  // Pulumi exports this function, but its types do not contain it.
  const { isConfigSecret } = pulumi.runtime as { isConfigSecret?: (key: string) => boolean };
  const values = Object.entries(pulumi.runtime.allConfig()).map(
    ([key, value]) => [key, { value, secret: isConfigSecret?.(key) !== false }] as const,
  );
  // Outside of Pulumi commands there is no config, except what a test has set.
  const hasConfig = pulumi.runtime.hasEngine() || values.length > 0;
  return findInConfig(connection, hasConfig ? Object.fromEntries(values) : undefined);
}

/** Whether a value, or a property of it, arrives later. */
function isOrContainsPending(value: unknown): boolean {
  return isPending(value) || (isPlainObject(value) && Object.values(value).some(isPending));
}

/** Returns the service with these settings. The first call loads axios and the rest of the client. */
async function loadProjectService(settings: Settings): Promise<ProjectService> {
  const { getProjectService } = await import("../../provider/reading/projectService.js");
  return getProjectService(settings);
}

/**
 * Runs a read, or a part of it. An inline program waits for it.
 *
 * A failure is a plain rejection, not an exception that passes through the promises that wait for the read. Pulumi
 * enables V8's debugger, to serialize closures, and V8 then follows every promise that waits for a throwing function, to
 * find out whether anybody catches the exception. In Outputs that are combined, for instance by `pulumi.interpolate`,
 * that takes exponential time. The search stops at a handler of a rejection, such as the one here.
 */
export function runRead<R>(read: () => R | Promise<R>, call?: Call): Promise<R> {
  const result = new Promise<R>((resolve, reject) => {
    Promise.resolve()
      .then(read)
      .finally(whileProgramRuns)
      .then(resolve, (error) => reject(errorOfProgram(error, call) as Error));
  });
  waitFor(result);
  return result;
}

/** Shows how many projects were read, in the status line of Pulumi. Without a terminal, Pulumi prints these lines. */
export function showReadProgress<T>(
  read: (onProgress: (read: number, total: number) => void) => Promise<T>,
): Promise<T> {
  const { onProgress, text } = readCounter();
  const show = () => void pulumi.log.info(text(), undefined, undefined, true);
  return withProgress(show, 10_000, () => read(onProgress));
}
