/* What the dynamic providers of both resources need to read the service for `pulumi refresh`. */
import type { ProjectService } from "../client/projectService.js";
import type { ProjectServiceError } from "../errors/projectServiceError.js";
import { resolveSettings } from "../settings/resolveSettings.js";
import { defaultNamespace, settingSources } from "../settings/settingSources.js";
import { secretSignature, signatureKey } from "../wire/pulumiSentinels.js";

/**
 * Returns the service that a config namespace names.
 *
 * @param namespace Default: `project-service`.
 * @param config the config of the last update, which Pulumi gives to a provider.
 */
export async function serviceIn(
  namespace = defaultNamespace,
  config: Config | undefined,
): Promise<ProjectService> {
  const { getProjectService } = await import("../client/projectService.js");
  const configured = (key: string) => config?.get(`${namespace}:${key}`);
  return getProjectService(resolveSettings(settingSources(namespace, configured)), ignoreWaits);
}

/** The config of a stack, by full keys. */
interface Config {
  get(key: string): string | undefined;
}

/** The engine does not show the progress of a dynamic provider. */
function ignoreWaits(): void {}

/** Returns a property that the engine encrypts. */
export function secretProperty(value: unknown): object | undefined {
  return value === undefined ? undefined : { [signatureKey]: secretSignature, value };
}

/** Pulumi gives a provider the config of the last update. */
export const adviceOnRefresh =
  "A refresh uses the settings of the last pulumi up. If they have changed since, run pulumi up --refresh=false, or pulumi refresh --run-program.";

/** Pulumi prints an error of a dynamic provider as `${error}: ${error.stack}`, followed by its message. */
export function printable(
  { code, message }: ProjectServiceError,
  subject: string,
  advice: string,
): Error {
  const separator = message.includes("\n") ? "\n" : " ";
  return Object.assign(new Error(advice === "" ? message : message + separator + advice), {
    stack: subject,
    toString: () => code,
  });
}
