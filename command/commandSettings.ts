import { statSync } from "node:fs";
import { resolve } from "node:path";
import { argumentInvalid, ProjectServiceError } from "../provider/errors/projectServiceError.js";
import { displayText } from "../provider/errors/displayText.js";
import type { ProjectService } from "../provider/service/projectService.js";
import { resolveSettings, type Settings } from "../provider/settings/resolveSettings.js";
import {
  defaultNamespace,
  findInConfig,
  type FoundSettings,
  type StackConfig,
} from "../provider/settings/foundSettings.js";
import { isInPulumiProject } from "../provider/settings/projectFolder.js";
import type { OptionValues } from "./commandLine.js";
import { parseJsonText } from "./parseJsonText.js";
import { namedStack, runPulumi } from "./pulumi.js";
import { printStderr } from "./standardStreams.js";

/** Returns the service of a command. This loads axios: a wrong command line fails before, without that cost. */
export async function serviceWith(settings: Settings): Promise<ProjectService> {
  const { getProjectService } = await import("../provider/service/projectService.js");
  return getProjectService(settings);
}

/** Where a command looks for settings: a folder, a stack and a config namespace. */
export type SettingsSource = ReturnType<typeof settingsSource>;

/** The options of a command that reads a stack. */
export const stackOptions = { stack: { type: "string" }, cwd: { type: "string" } } as const;

export const stackUsage = `\
  --stack <name>           stack to read from; default: the selected one
  --cwd <folder>           folder of the Pulumi project; default: this folder`;

/** The options of a command that needs settings. */
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

/** Finds settings. It runs Pulumi only if a stack is named, or if the folder is in a Pulumi project. */
export async function findCommandSettings(source: SettingsSource): Promise<FoundSettings> {
  const { directory, connection: namespace = defaultNamespace } = source;
  const hasConfig = source.stack !== undefined || isInPulumiProject(directory);
  const stack = namedStack(source.stack);
  const config = hasConfig ? await readConfig(directory, stack) : undefined;
  return findInConfig(
    namespace,
    config,
    "There is no Pulumi project in this folder. Use one with --cwd",
  );
}

const configWaits = { noticeMs: 10_000, limitMs: 60_000 };

/** The config is empty if no stack is selected, or if Pulumi cannot read it and no stack is named. */
async function readConfig(directory: string, stack: string | undefined): Promise<StackConfig> {
  const args = ["config", "--json", "--show-secrets"];
  const { failure, unusable, hasNoStack, stdout } = await runPulumi(
    args,
    directory,
    stack,
    configWaits,
  );
  if (failure === undefined) {
    return parseJsonText(String(stdout), "", "The config that Pulumi prints") as StackConfig;
  }
  if (unusable !== undefined && stack === undefined) {
    printStderr(`${unusable}, so the settings come from environment variables only.`);
    return {};
  }
  if (hasNoStack) {
    printStderr(
      `No stack is selected in ${displayText(directory, 200)}, so the settings come from environment variables only. Run pulumi stack select, or pass --stack.`,
    );
    return {};
  }
  const ofStack = stack === undefined ? "" : ` of stack ${displayText(stack)}`;
  throw new ProjectServiceError(
    "SETTINGS_INVALID",
    `Reading the config${ofStack} in ${displayText(directory, 200)} failed: ${failure} Check --stack, PULUMI_STACK and --cwd. Without a Pulumi project in the folder, environment variables are enough.`,
  );
}
