/* What the dynamic providers of both resources need to read the service for `pulumi refresh`. */
import type { ProjectService } from "../service/projectService.js";
import { displayText } from "../errors/displayText.js";
import {
  ProjectServiceError,
  type ProjectServiceErrorCode,
} from "../errors/projectServiceError.js";
import { resolveSettings } from "../settings/resolveSettings.js";
import { defaultNamespace, findInConfig } from "../settings/settingSources.js";
import { secretSignature, signatureKey } from "../wire/pulumiSafeJson.js";

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
  const { getProjectService } = await import("../service/projectService.js");
  const settings = resolveSettings(findInConfig(namespace, (fullKey) => config?.get(fullKey)));
  return getProjectService(settings, ignoreWaits);
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

/**
 * Fails if the settings name another service than the one that was recorded. It may have none of the
 * projects, so that each of them would look deleted.
 */
export function checkAddress({ address }: ProjectService, recorded: string): void {
  if (recorded === address) return;
  throw new ProjectServiceError(
    "SETTINGS_INVALID",
    `The service at ${displayText(recorded, 200)} was recorded, but the settings name ${displayText(address, 200)}. The state stays as it is.`,
  );
}

/** Errors that other settings would not prevent. */
const unrelatedToSettings: ReadonlySet<ProjectServiceErrorCode> = new Set([
  "ARGUMENT_INVALID",
  "LIST_INCOMPLETE",
  "RATE_LIMITED",
  "SERVICE_UNAVAILABLE",
]);

/** Pulumi gives a provider the config of the last update. */
const adviceOnRefresh =
  "A refresh uses the settings of the last pulumi up. If they have changed since, run pulumi up --refresh=false, or pulumi refresh --run-program.";

/**
 * Pulumi prints an error of a dynamic provider as `${error}: ${error.stack}`, followed by its message.
 *
 * @param isRefresh whether the settings may be older than those in the stack's config.
 * @param warnings about the settings. A provider can print nothing but its error.
 */
export function printable(
  { code, message }: ProjectServiceError,
  subject: string,
  isRefresh: boolean,
  warnings: readonly string[] = [],
): Error {
  const advice = isRefresh && !unrelatedToSettings.has(code) ? [adviceOnRefresh] : [];
  const text = [message, ...warnings, ...advice].join(message.includes("\n") ? "\n" : " ");
  return Object.assign(new Error(text), { stack: subject, toString: () => code });
}
