import * as pulumi from "@pulumi/pulumi";
import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import { resolveSettings, type Settings } from "../../provider/settings/resolveSettings.js";
import {
  defaultNamespace,
  findInConfig,
  findInConnection,
  type FoundSettings,
} from "../../provider/settings/foundSettings.js";
import { isPending, isPlainObject } from "./checkArguments.js";
import { isInlineProgram } from "./inlineProgram.js";
import { warnOnce } from "./programErrors.js";

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
