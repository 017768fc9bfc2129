import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { ConfigMap, LocalWorkspace } from "@pulumi/pulumi/automation/index.js";
import { ProjectServiceError } from "../provider/errors.js";
import { resolveSettings, type Settings } from "../provider/resolveSettings.js";
import {
  defaultNamespace,
  plainTextWarning,
  type SettingKey,
  settingSources,
} from "../provider/settingSources.js";
import { shown } from "../provider/shown.js";

interface Where {
  /** Folder in which a Pulumi project may be. */
  readonly directory: string;
  /** A stack by name; without one, the selected stack of a Pulumi project in the folder, if any. */
  readonly stackName: string | undefined;
  /** Told of secrets that are in the stack's config in plain text. */
  readonly warn: (message: string) => void;
}

/**
 * The settings with which to read the service: config of a stack, environment, default.
 *
 * Pulumi is asked only if a stack is named or there is a Pulumi project in the folder.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` without such a folder; `SETTINGS_INVALID`, also
 *   where the config cannot be read.
 */
export async function auditSettings({ directory, stackName, warn }: Where): Promise<Settings> {
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new ProjectServiceError(
      "ARGUMENT_INVALID",
      `There is no folder ${shown(directory, 200)}: check --cwd.`,
    );
  }
  const config =
    stackName !== undefined || hasPulumiProject(directory)
      ? await readConfig(directory, stackName)
      : {};

  function configured(key: SettingKey): string | undefined {
    const found = config[`${defaultNamespace}:${key}`];
    const warning = plainTextWarning(defaultNamespace, key);
    if (warning !== undefined && found !== undefined && found.secret !== true) warn(warning);
    return found?.value;
  }

  return resolveSettings(settingSources(defaultNamespace, configured));
}

function hasPulumiProject(directory: string): boolean {
  return ["yaml", "yml", "json"].some((type) => existsSync(join(directory, `Pulumi.${type}`)));
}

async function readConfig(directory: string, stackName: string | undefined): Promise<ConfigMap> {
  // Loads half of @pulumi/pulumi: only where it is needed.
  const automation = await import("@pulumi/pulumi/automation/index.js");
  const ofStack = stackName === undefined ? "" : ` of stack ${shown(stackName)}`;
  try {
    const workspace = await automation.LocalWorkspace.create({ workDir: directory });
    const name = stackName ?? (await selectedStack(workspace));
    return name === undefined ? {} : await workspace.getAllConfig(name);
  } catch (error) {
    throw new ProjectServiceError(
      "SETTINGS_INVALID",
      `The config${ofStack} in ${shown(directory, 200)} could not be read: ${reasonOf(error)} ` +
        `Settings in environment variables alone are read in a folder without a Pulumi project: pass one as --cwd.`,
    );
  }
}

async function selectedStack(workspace: LocalWorkspace): Promise<string | undefined> {
  return (await workspace.stack())?.name;
}

/** What Pulumi said was wrong. The rest of its error quotes all that it printed. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : "";
  if (/ENOENT/.test(message)) return "there is no Pulumi CLI on PATH.";
  const said = /^error: (.*)$/m.exec(message)?.[1];
  return said === undefined ? "Pulumi failed." : `Pulumi says "${shown(said, 300)}".`;
}
