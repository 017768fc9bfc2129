import { statSync } from "node:fs";
import { resolve } from "node:path";
import { argumentInvalid } from "../provider/errors/projectServiceError.js";
import { displayText } from "../provider/errors/displayText.js";
import type { ProjectService } from "../provider/reading/projectService.js";
import { resolveSettings, type Settings } from "../provider/settings/resolveSettings.js";
import {
  defaultNamespace,
  findInConfig,
  type FoundSettings,
  type StackConfig,
} from "../provider/settings/foundSettings.js";
import { projectFolder } from "../provider/settings/projectFolder.js";
import type { OptionValues } from "./commandLine.js";
import { NoStackError, readPulumi } from "./pulumi.js";
import { printStderr } from "./standardStreams.js";

/** Returns the service of a command. This loads axios: a wrong command line fails before, without that cost. */
export async function serviceWith(settings: Settings): Promise<ProjectService> {
  const { getProjectService } = await import("../provider/reading/projectService.js");
  return getProjectService(settings);
}

/** Where a command looks for settings: a folder, a stack and a config namespace. */
export type SettingsSource = ReturnType<typeof settingsSource>;

export const stackOptions = { stack: { type: "string" }, cwd: { type: "string" } } as const;

export const stackUsage = `\
  --stack <name>           stack to read from; default: the selected one
  --cwd <folder>           folder of the Pulumi project; default: this folder`;

export const settingsOptions = { ...stackOptions, connection: { type: "string" } } as const;

export const settingsUsage = `${stackUsage}
  --connection <namespace> config namespace; default: project-service`;

export function settingsSource({
  cwd = ".",
  stack,
  connection,
}: OptionValues<typeof settingsOptions>) {
  const directory = resolve(cwd);
  const isFolder = statSync(directory, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isFolder) return { directory, stack, connection };
  throw argumentInvalid(`There is no folder ${displayText(directory, 200)}. Check --cwd.`);
}

/** Returns the settings of a command, checked and complete. Prints the warnings about them. */
export async function commandSettings(source: SettingsSource): Promise<Settings> {
  const found = await findCommandSettings(source);
  for (const warning of found.warnings) printStderr(`Warning: ${warning}`);
  return resolveSettings(found, source.directory);
}

export async function findCommandSettings(source: SettingsSource): Promise<FoundSettings> {
  return findInConfig(
    source.connection ?? defaultNamespace,
    await readStackConfig(source),
    "There is no Pulumi project in this folder. Use one with --cwd",
  );
}

/**
 * Reads the config of a stack. Runs Pulumi only if a stack is named, or if the folder is in a Pulumi project. Otherwise
 * there is none. It is empty if no stack is named, and Pulumi has none.
 */
export async function readStackConfig({
  directory,
  stack,
}: SettingsSource): Promise<StackConfig | undefined> {
  if (stack === undefined && projectFolder(directory) === undefined) return undefined;
  try {
    const args = ["config", "--json", "--show-secrets"];
    const otherwise =
      "use environment variables alone, without --stack and PULUMI_STACK, and if necessary outside a Pulumi project";
    return (await readPulumi(args, directory, stack, otherwise)) as StackConfig;
  } catch (error) {
    if (!(error instanceof NoStackError)) throw error;
    printStderr(`Warning: only environment variables are used. ${error.reason}`);
    return {};
  }
}
