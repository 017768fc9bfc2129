import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { ConfigMap } from "@pulumi/pulumi/automation/index.js";
import { argumentInvalid, ProjectServiceError } from "../provider/errors/projectServiceError.js";
import { displayText } from "../provider/errors/displayText.js";
import { resolveSettings, type Settings } from "../provider/settings/resolveSettings.js";
import {
  defaultNamespace,
  findInConfig,
  type FoundSettings,
} from "../provider/settings/findSettings.js";
import { isPulumiProject } from "../provider/settings/projectFolder.js";
import { say } from "./standardStreams.js";

/** Where a command looks for settings. */
export interface SettingsLocation {
  /** Folder that may contain a Pulumi project. */
  readonly directory: string;
  /** Name of a stack. Default: the selected stack, if the folder contains a Pulumi project. */
  readonly stack?: string | undefined;
  /** Config namespace of the settings. Default: `project-service`. */
  readonly connection?: string | undefined;
}

/** Settings before they are checked. */
export interface FoundInConfig extends FoundSettings {
  /** Whether the stack config has the value of a setting, encrypted. */
  readonly isEncrypted: (key: string) => boolean;
}

/**
 * Returns the absolute path of the folder in `--cwd`.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` if it does not exist.
 */
export function existingFolder(cwd = "."): string {
  const directory = resolve(cwd);
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() === true) return directory;
  throw argumentInvalid(`There is no folder ${displayText(directory, 200)}. Check --cwd.`);
}

/**
 * Returns the settings of a command, from the config of a stack, the environment and the defaults. Prints the
 * warnings about them.
 *
 * @throws ProjectServiceError like {@link findSettings}, and `SETTINGS_INVALID` if settings are missing or invalid.
 */
export async function commandSettings(location: SettingsLocation): Promise<Settings> {
  const found = await findSettings(location);
  for (const warning of found.warnings) say(`Warning: ${warning}`);
  return resolveSettings(found, location.directory);
}

/**
 * Finds the settings of a command. It runs Pulumi only if a stack is named, or if the folder contains a Pulumi
 * project.
 *
 * @throws ProjectServiceError `SETTINGS_INVALID` if the config cannot be read.
 */
export async function findSettings(location: SettingsLocation): Promise<FoundInConfig> {
  const { directory, stack, connection: namespace = defaultNamespace } = location;
  const hasConfig = stack !== undefined || isPulumiProject(directory);
  const config = hasConfig ? await readConfig(directory, stack) : undefined;
  const found = findInConfig(
    namespace,
    config,
    "There is no Pulumi project in this folder. Use one with --cwd",
  );
  const isEmpty = Object.keys(found.found).length === 0;
  if (hasConfig && isEmpty && namespace !== defaultNamespace) {
    throw new ProjectServiceError(
      "SETTINGS_INVALID",
      `The stack config has no settings in the namespace ${displayText(namespace)}. Check --connection.`,
    );
  }
  return { ...found, isEncrypted: (key) => config?.[`${namespace}:${key}`]?.secret === true };
}

async function readConfig(directory: string, stackName: string | undefined): Promise<ConfigMap> {
  // Loads half of @pulumi/pulumi, so only if it is needed.
  const automation = await import("@pulumi/pulumi/automation/index.js");
  try {
    const workspace = await automation.LocalWorkspace.create({ workDir: directory });
    const name = stackName ?? (await workspace.stack())?.name;
    return name === undefined ? {} : await workspace.getAllConfig(name);
  } catch (error) {
    const stack = stackName === undefined ? "" : ` of stack ${displayText(stackName)}`;
    throw new ProjectServiceError(
      "SETTINGS_INVALID",
      `Reading the config${stack} in ${displayText(directory, 200)} failed: ${reasonOf(error)} Check --stack and --cwd. Without a Pulumi project in the folder, the environment variables are enough.`,
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
