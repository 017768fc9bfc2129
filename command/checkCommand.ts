import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { countOf } from "../audit/report/sentences.js";
import { displayText } from "../provider/errors/displayText.js";
import { ProjectServiceError } from "../provider/errors/projectServiceError.js";
import { packageInfo } from "../provider/service/packageInfo.js";
import type { Settings } from "../provider/settings/resolveSettings.js";
import {
  type FoundSettings,
  type SettingKey,
  settingKeys,
} from "../provider/settings/settingSources.js";
import { withoutCredentials } from "../provider/wire/mapping.js";
import { commandSettings, type SettingsLocation } from "./commandSettings.js";
import { printLines } from "./standardStreams.js";
import { refuseRepeated } from "./optionValues.js";

const checkUsage = `Usage: pulumi-project-service check [options]

Checks the settings of a Project Service: signs in, lists projects, reads one.
Prints where each setting was found, and how long each step took. Prints no
secret, so you can paste the output into a bug report.

  --stack <name>   read the settings from the config of this stack
  --cwd <folder>   folder of the Pulumi project; default: the current folder
  --connection <namespace>
                   config namespace of the settings; default: project-service.
                   Environment variables apply to the default only
  --help           print this help

Exit code: 0 the settings work for these steps, 1 a setting or a step failed,
2 an option is wrong. Other projects can still be inaccessible.
`;

/** Runs the check. Returns the exit code: 0 if every step succeeded, 1 otherwise. */
export async function checkCommand(args: string[]): Promise<number> {
  const text = { type: "string" } as const;
  const { values, tokens } = parseArgs({
    tokens: true,
    args,
    options: { stack: text, cwd: text, connection: text, help: { type: "boolean", short: "h" } },
  });
  if (values.help === true) {
    printLines(checkUsage.trimEnd());
    return 0;
  }
  refuseRepeated(tokens);
  printLines(
    `${packageInfo.name} ${packageInfo.version}, Node ${process.versions.node}, ${process.platform}`,
  );
  try {
    await check(resolve(values.cwd ?? "."), values.stack, values.connection);
    return 0;
  } catch (error) {
    if (!(error instanceof ProjectServiceError)) throw error;
    printLines(`\n${error.name}: ${error.message}`);
    return 1;
  }
}

async function check(
  directory: string,
  stackName: string | undefined,
  namespace: string | undefined,
): Promise<void> {
  printLines("\nSettings");
  const warn = (warning: string) => printLines(`  Warning: ${warning}`);
  const settings = await foundSettings({ directory, stackName, namespace, warn });
  printSettings(settings);

  printLines("\nSteps");
  const { getProjectService } = await import("../provider/service/projectService.js");
  const service = getProjectService(settings, (message) => printLines(`  ${message}`));
  await step(
    "Sign in",
    () => service.signIn(),
    () => `at ${settings.tokenUrl}`,
  );
  const [first] = await step(
    "List projects",
    () => service.listProjects(),
    ({ length }) => countOf(length, "project"),
  );
  if (first === undefined) {
    throw new ProjectServiceError(
      "NOT_FOUND",
      "The user in the setting username has access to no project, so there is none to read. Ask for access to projects.",
    );
  }
  const reference = { projectId: first.projectId };
  await step(
    "Read one project",
    () => service.readProject(reference, withoutCredentials),
    ({ projectId, name, environments }) =>
      `${displayText(projectId)} (${displayText(name)}), ${countOf(environments.length, "environment")}`,
  );
}

/** Returns the settings. If they are incomplete or wrong, prints where it found those that are set. */
async function foundSettings(location: SettingsLocation): Promise<Settings> {
  let found: FoundSettings["found"] = {};
  try {
    return await commandSettings({ ...location, onFound: (settings) => (found = settings.found) });
  } catch (error) {
    for (const [key, { origin }] of Object.entries(found)) printSetting(key, `from ${origin}`);
    if (Object.keys(found).length === 0) printLines("  none found");
    throw error;
  }
}

/** Runs a step, and prints its time and a description of its result. */
async function step<T>(
  title: string,
  run: () => Promise<T>,
  describe: (result: T) => string,
): Promise<T> {
  const startMs = performance.now();
  const timeMs = () => `${Math.round(performance.now() - startMs)} ms`;
  try {
    const result = await run();
    printRow("ok", title, timeMs(), describe(result));
    return result;
  } catch (error) {
    printRow("failed", title, timeMs(), "");
    throw error;
  }
}

function printSettings(settings: Settings): void {
  const { clientId, username, scope, timeoutSeconds, maxConcurrency } = settings;
  const values: Partial<Record<SettingKey, string | number | undefined>> = {
    baseUrl: settings.apiUrl,
    authUrl: settings.issuer,
    realm: decodeURIComponent(settings.issuer.replace(/.*\//, "")),
    clientId,
    username,
    scope,
    timeoutSeconds,
    maxConcurrency,
    caCertificate: countOf(settings.caCertificates.length, "certificate"),
  };
  for (const key of Object.keys(settings.origins) as SettingKey[]) {
    const value = settingKeys[key].secret ? "(secret)" : String(values[key] ?? "(set)");
    printSetting(key, `${displayText(value, 200)}, from ${settings.origins[key]}`);
  }
}

function printSetting(key: string, text: string): void {
  printLines(`  ${key.padEnd(16)}${text}`);
}

function printRow(state: string, title: string, time: string, text: string): void {
  printLines(`  ${state.padEnd(8)}${title.padEnd(18)}${time.padStart(8)}  ${text}`.trimEnd());
}
