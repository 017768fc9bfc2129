import { statSync } from "node:fs";
import { resolve } from "node:path";
import { argumentInvalid, ProjectServiceError } from "../provider/errors/projectServiceError.js";
import { displayText } from "../provider/errors/displayText.js";
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
import { say } from "./standardStreams.js";

/** Where a command looks for settings: a folder, a stack and a config namespace. */
export type SettingsLocation = ReturnType<typeof locationOf>;

/** Settings before they are checked. */
export interface FoundInConfig extends FoundSettings {
  /** Whether the stack config has the value of a setting, encrypted. */
  readonly isEncrypted: (key: string) => boolean;
}

/** The options of a command that say where its settings are. */
export const locationOptions = {
  stack: { type: "string" },
  cwd: { type: "string" },
  connection: { type: "string" },
} as const;

export function locationOf({ cwd = ".", stack, connection }: OptionValues<typeof locationOptions>) {
  const directory = resolve(cwd);
  const isFolder = statSync(directory, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isFolder) return { directory, stack, connection };
  throw argumentInvalid(`There is no folder ${displayText(directory, 200)}. Check --cwd.`);
}

/** Returns the settings of a command, checked and complete. Prints the warnings about them. */
export async function commandSettings(location: SettingsLocation): Promise<Settings> {
  const found = await findCommandSettings(location);
  for (const warning of found.warnings) say(`Warning: ${warning}`);
  return resolveSettings(found, location.directory);
}

/** Finds settings. It runs Pulumi only if a stack is named, or if the folder is in a Pulumi project. */
export async function findCommandSettings(location: SettingsLocation): Promise<FoundInConfig> {
  const { directory, connection: namespace = defaultNamespace } = location;
  const hasConfig = location.stack !== undefined || isInPulumiProject(directory);
  const stack = namedStack(location.stack);
  const config = hasConfig ? await readConfig(directory, stack, namespace) : undefined;
  const found = findInConfig(
    namespace,
    config,
    "There is no Pulumi project in this folder. Use one with --cwd",
  );
  return { ...found, isEncrypted: (key) => config?.[`${namespace}:${key}`]?.secret === true };
}

const configWaits = { noticeMs: 10_000, limitMs: 60_000 };

/** Returns the config of the stack, which is empty if no stack is selected. */
async function readConfig(
  directory: string,
  stack: string | undefined,
  namespace: string,
): Promise<StackConfig> {
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
  if (unusable !== undefined && stack === undefined && namespace === defaultNamespace) {
    say(`${unusable}, so only environment variables count as settings.`);
    return {};
  }
  if (hasNoStack) {
    say(
      `No stack is selected in ${displayText(directory, 200)}, so only environment variables count as settings. Run pulumi stack select, or pass --stack.`,
    );
    return {};
  }
  const ofStack = stack === undefined ? "" : ` of stack ${displayText(stack)}`;
  throw new ProjectServiceError(
    "SETTINGS_INVALID",
    `Reading the config${ofStack} in ${displayText(directory, 200)} failed: ${failure} Check --stack, PULUMI_STACK and --cwd. Without a Pulumi project in the folder, the environment variables are enough.`,
  );
}
