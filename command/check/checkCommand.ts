import { displayCount, displayList, displayText } from "../../provider/errors/displayText.js";
import { ProjectServiceError } from "../../provider/errors/projectServiceError.js";
import { packageInfo } from "../../provider/http/packageInfo.js";
import type { Project, ProjectSummary } from "../../provider/model/project.js";
import type { ProjectService } from "../../provider/reading/projectService.js";
import { type FoundSettings, variablePrefix } from "../../provider/settings/foundSettings.js";
import { proxyVariable } from "../../provider/settings/proxies.js";
import { resolveSettings, type Settings } from "../../provider/settings/resolveSettings.js";
import { settingKeys, settingsTable } from "../../provider/settings/settingsTable.js";
import { withoutCredentials } from "../../provider/wire/credentials.js";
import { defineCommand } from "../commandLine.js";
import {
  findCommandSettings,
  serviceWith,
  settingsOptions,
  settingsSource,
  settingsUsage,
} from "../commandSettings.js";
import { printStdout } from "../standardStreams.js";

const usage = `Usage: pulumi-project-service check [options]

Checks the settings of a Project Service: signs in, lists projects, reads one.
Prints where each setting was found, and how long each step took. Prints no
secret, so you can paste the output into a bug report.

${settingsUsage}
  --help                   print this help

Examples:
  pulumi-project-service check
  pulumi-project-service check --stack production

Exit code: 0 the settings work for these steps, 1 the stack, a setting or a step
failed, 2 the command line is wrong. Other projects can still be inaccessible.
`;

export const checkCommand = defineCommand(usage, settingsOptions, async (values) => {
  const source = settingsSource(values);
  const { name, version } = packageInfo;
  printLine(`${name} ${version}, Node ${process.versions.node}, ${process.platform}`);
  printLine("\nSettings");
  let found: FoundSettings | undefined;
  try {
    found = await findCommandSettings(source);
    for (const warning of found.warnings) printLine(`  Warning: ${warning}`);
    await checkSteps(printSettings(found, source.directory));
    return 0;
  } catch (error) {
    if (!(error instanceof ProjectServiceError)) throw error;
    const hidesAddress = settingKeys.some(
      (key) => settingsTable[key].shown && found?.values[key]?.isEncrypted,
    );
    printLine(`\n${error.name}: ${hidesAddress ? withoutAddress(error) : error.message}`);
    return 1;
  }
});

function withoutAddress({ message, url }: ProjectServiceError): string {
  if (url === undefined) return message;
  return message.replace(/ \(URL: .*\)$/, "").replaceAll(new URL(url).host, "the server");
}

/** Prints where each setting was found, and returns the checked settings. */
function printSettings(found: FoundSettings, directory: string): Settings {
  let settings: Settings | undefined;
  try {
    settings = resolveSettings(found, directory);
    return settings;
  } finally {
    const print = (key: string, text: string) => printLine(`  ${key.padEnd(16)}${text}`);
    for (const key of settingKeys) {
      const { value, origin, isEncrypted } = found.values[key] ?? {};
      if (origin === undefined) continue;
      // The address of the identity provider may contain the realm.
      const isHidden = isEncrypted || (key === "authUrl" && found.values.realm?.isEncrypted);
      // A wrong value may contain a password.
      const isShown = settings !== undefined && settingsTable[key].shown && !isHidden;
      const shown = isShown ? `${displayText(String(value), 200)}, ` : "";
      // A line break at the end is a common mistake of secrets in CI. A password may have white space around it.
      const space = /^\s|\s$/.test(String(value)) ? ", starts or ends with white space" : "";
      print(key, `${shown}from ${origin}${space}`);
    }
    if (Object.keys(found.values).length === 0) printLine("  none found");
    const unused = unusedVariables(found);
    if (unused.length > 0) print("not used here", displayList(unused));
    if (settings !== undefined) {
      const { apiUrl, apiProxy, tokenUrl, tokenProxy } = settings;
      for (const [key, address, proxy] of [
        ["baseUrl", apiUrl, apiProxy],
        ["authUrl", tokenUrl, tokenProxy],
      ] as const) {
        if (proxy !== undefined) print("proxy", `${new URL(proxy).host} for ${key}`);
        else if (proxyVariable(address)) print("proxy", `none for ${key}: NO_PROXY excludes it`);
      }
    }
  }
}

/** Returns the variables that look like settings and have no effect. On Windows, the case of names does not count. */
function unusedVariables({ values }: FoundSettings): string[] {
  const used = Object.values(values).map(({ variable }) => variable);
  return Object.keys(process.env).filter((name) => {
    const known = name.toUpperCase();
    return known.startsWith(variablePrefix) && process.env[name] && !used.includes(known);
  });
}

function printLine(line: string): void {
  printStdout(`${line}\n`);
}

async function checkSteps(settings: Settings): Promise<void> {
  printLine("\nSteps");
  const service = await serviceWith(settings);
  await step("Sign in", () => service.signIn());
  const projects = await step(
    "List projects",
    () => service.listProjects(),
    ({ length }) => displayCount(length, "project"),
  );
  await step(
    "Read one project",
    () => readFirst(service, projects),
    ({ projectId, name, environments }) =>
      `${displayText(projectId)} (${displayText(name)}), ${displayCount(environments.length, "environment")}`,
  );
}

/** Reads one of the first three projects: a user may see a project in the list without access to it. */
async function readFirst(
  service: ProjectService,
  projects: readonly ProjectSummary[],
): Promise<Project> {
  let failure = new ProjectServiceError(
    "NOT_FOUND",
    "The user in the setting username has access to no project, so there is none to read. Ask for access to projects.",
  );
  for (const { projectId } of projects.slice(0, 3)) {
    try {
      return await service.readProject({ projectId }, withoutCredentials);
    } catch (error) {
      if (!(error instanceof ProjectServiceError) || error.code !== "FORBIDDEN") throw error;
      failure = error;
    }
  }
  throw failure;
}

/** Runs a step, prints its time and a description of its result, and returns the result. */
async function step<Result>(
  title: string,
  run: () => Promise<Result>,
  describe: (result: Result) => string = () => "",
): Promise<Result> {
  const startMs = performance.now();
  const print = (state: string, text: string) => {
    const time = `${Math.round(performance.now() - startMs)} ms`;
    printLine(`  ${state.padEnd(8)}${title.padEnd(18)}${time.padStart(8)}  ${text}`.trimEnd());
  };
  try {
    const result = await run();
    print("ok", describe(result));
    return result;
  } catch (error) {
    print("failed", "");
    throw error;
  }
}
