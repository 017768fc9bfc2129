import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ConfigMap } from "@pulumi/pulumi/automation/index.js";
import { ProjectServiceError } from "../provider/errors/projectServiceError.js";
import { displayText } from "../provider/errors/displayText.js";
import { resolveSettings, type Settings } from "../provider/settings/resolveSettings.js";
import {
  defaultNamespace,
  plainTextWarning,
  type SettingKey,
  settingSources,
  unknownKeyWarning,
} from "../provider/settings/settingSources.js";
import { requireFolder } from "./filePath.js";

export interface SettingsLocation {
  /** Folder that may contain a Pulumi project. */
  readonly directory: string;
  /** Name of a stack. Default: the selected stack, if the folder contains a Pulumi project. */
  readonly stackName: string | undefined;
  /** Config namespace of the settings. Default: `project-service`. */
  readonly namespace: string | undefined;
  /** Receives a warning for each secret in plain text and each unknown key in the stack's config. */
  readonly warn: (message: string) => void;
  /** Receives where each setting was found, even if a setting is missing or invalid. */
  readonly origins?: Partial<Record<SettingKey, string>>;
}

/**
 * Returns the settings of a command, from the config of a stack, the environment and the defaults.
 *
 * It runs Pulumi only if a stack is named, or if the folder contains a Pulumi project.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` if the folder does not exist; `SETTINGS_INVALID` if
 *   settings are missing or invalid, or the config cannot be read.
 */
export async function commandSettings(location: SettingsLocation): Promise<Settings> {
  const { directory, stackName, namespace = defaultNamespace, warn, origins } = location;
  requireFolder(directory);
  const config =
    stackName !== undefined || hasPulumiProject(directory)
      ? await readConfig(directory, stackName)
      : undefined;

  function configured(key: SettingKey): string | undefined {
    const found = config?.[`${namespace}:${key}`];
    const warning = plainTextWarning(namespace, key);
    if (warning !== undefined && found !== undefined && found.secret !== true) warn(warning);
    return found?.value;
  }

  for (const fullKey of Object.keys(config ?? {})) {
    const [keyNamespace, key = ""] = fullKey.split(":", 2);
    const warning = keyNamespace === namespace && unknownKeyWarning(namespace, key);
    if (warning) warn(warning);
  }
  const sources = settingSources(
    namespace,
    config === undefined ? undefined : configured,
    undefined,
    "There is no Pulumi project in this folder. Use one with --cwd",
  );
  const settings = resolveSettings(sources, undefined, origins);
  for (const warning of settings.warnings) warn(warning);
  return settings;
}

function hasPulumiProject(directory: string): boolean {
  return ["yaml", "yml", "json"].some((type) => existsSync(join(directory, `Pulumi.${type}`)));
}

async function readConfig(directory: string, stackName: string | undefined): Promise<ConfigMap> {
  // Loads half of @pulumi/pulumi, so only if it is needed.
  const automation = await import("@pulumi/pulumi/automation/index.js");
  const ofStack = stackName === undefined ? "" : ` of stack ${displayText(stackName)}`;
  try {
    const workspace = await automation.LocalWorkspace.create({ workDir: directory });
    const name = stackName ?? (await workspace.stack())?.name;
    return name === undefined ? {} : await workspace.getAllConfig(name);
  } catch (error) {
    throw new ProjectServiceError(
      "SETTINGS_INVALID",
      `Reading the config${ofStack} in ${displayText(directory, 200)} failed: ${reasonOf(error)} ` +
        `To use the settings in environment variables alone, pass a folder without a Pulumi project as --cwd.`,
    );
  }
}

/** Returns Pulumi's own error line. The rest of the message quotes everything that Pulumi printed. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : "";
  if (/ENOENT/.test(message)) return "there is no Pulumi CLI on PATH.";
  const line = /^error: (.*)$/m.exec(message)?.[1];
  return line === undefined ? "Pulumi failed." : `Pulumi says "${displayText(line, 300)}".`;
}
