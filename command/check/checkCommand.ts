import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { countOf } from "../../audit/report/sentences.js";
import { displayText } from "../../provider/errors/displayText.js";
import { ProjectServiceError } from "../../provider/errors/projectServiceError.js";
import { packageInfo } from "../../provider/service/packageInfo.js";
import type { Settings } from "../../provider/settings/resolveSettings.js";
import type { SettingKey } from "../../provider/settings/connectionSettings.js";
import { withoutCredentials } from "../../provider/wire/credentials.js";
import { commandSettings, type FoundInConfig, type SettingsLocation } from "../commandSettings.js";
import { requireFolder } from "../filePath.js";
import { checkOptions } from "../optionValues.js";
import { printLines } from "../standardStreams.js";

const usage = `Usage: pulumi-project-service check [options]

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
    printLines(usage.trimEnd());
    return 0;
  }
  checkOptions(tokens);
  const directory = resolve(values.cwd ?? ".");
  requireFolder(directory);
  const { name, version } = packageInfo;
  printLines(`${name} ${version}, Node ${process.versions.node}, ${process.platform}\n\nSettings`);
  const warn = (warning: string) => printLines(`  Warning: ${warning}`);
  let hidesAddress = false;
  const onFound = ({ isEncrypted }: FoundInConfig) => {
    hidesAddress = ["baseUrl", "authUrl", "realm"].some(isEncrypted);
  };
  const { stack: stackName, connection: namespace } = values;
  try {
    await check({ directory, stackName, namespace, warn, onFound });
    return 0;
  } catch (error) {
    if (!(error instanceof ProjectServiceError)) throw error;
    const message = hidesAddress ? error.message.replace(/ \(URL: .*\)$/, "") : error.message;
    printLines(`\n${error.name}: ${message}`);
    return 1;
  }
}

async function check(location: SettingsLocation): Promise<void> {
  const settings = await printSettings(location);
  printLines("\nSteps");
  const { getProjectService } = await import("../../provider/service/projectService.js");
  const service = getProjectService(settings);
  await step("Sign in", async () => {
    await service.signIn();
    return "";
  });
  let projectId: string | undefined;
  await step("List projects", async () => {
    const projects = await service.listProjects();
    projectId = projects[0]?.projectId;
    return countOf(projects.length, "project");
  });
  if (projectId === undefined) {
    throw new ProjectServiceError(
      "NOT_FOUND",
      "The user in the setting username has access to no project, so there is none to read. Ask for access to projects.",
    );
  }
  const reference = { projectId };
  await step("Read one project", async () => {
    const { name, environments } = await service.readProject(reference, withoutCredentials);
    const project = `${displayText(reference.projectId)} (${displayText(name)})`;
    return `${project}, ${countOf(environments.length, "environment")}`;
  });
}

/** Runs a step, and prints its time and a description of its result. */
async function step(title: string, run: () => Promise<string>): Promise<void> {
  const startMs = performance.now();
  const print = (state: string, text: string) => {
    const time = `${Math.round(performance.now() - startMs)} ms`;
    printLines(`  ${state.padEnd(8)}${title.padEnd(18)}${time.padStart(8)}  ${text}`.trimEnd());
  };
  try {
    print("ok", await run());
  } catch (error) {
    print("failed", "");
    throw error;
  }
}

/** Prints where each setting was found, and the values of some that no stack config encrypts. */
async function printSettings(location: SettingsLocation): Promise<Settings> {
  let found: FoundInConfig = { found: {}, isEncrypted: () => false };
  let settings: Settings | undefined;
  try {
    const onFound = (settings: FoundInConfig) => {
      found = settings;
      location.onFound?.(settings);
    };
    settings = await commandSettings({ ...location, onFound });
    return settings;
  } finally {
    const shown = settings === undefined ? {} : shownValues(settings);
    for (const [key, { origin }] of Object.entries(found.found)) {
      // The address of the identity provider contains the realm.
      const isHidden = found.isEncrypted(key) || (key === "authUrl" && found.isEncrypted("realm"));
      const value = isHidden ? undefined : shown[key as SettingKey];
      print(
        key,
        `${value === undefined ? "" : `${displayText(String(value), 200)}, `}from ${origin}`,
      );
    }
    if (Object.keys(found.found).length === 0) printLines("  none found");
    const proxies = [settings?.apiProxy, settings?.tokenProxy].flatMap((proxy) => proxy ?? []);
    for (const address of new Set(proxies)) print("proxy", hostAndPort(address));
  }
}

function shownValues(settings: Settings): Partial<Record<SettingKey, string | number>> {
  const { apiUrl, issuer, timeoutSeconds, maxConcurrency } = settings;
  const realm = decodeURIComponent(issuer.replace(/.*\//, ""));
  return { baseUrl: apiUrl, authUrl: issuer, realm, timeoutSeconds, maxConcurrency };
}

/** Returns the part of a proxy's address without its user name and password. */
function hostAndPort(address: string): string {
  const { protocol, hostname, port } = new URL(address);
  return `${hostname}:${port || (protocol === "https:" ? "443" : "80")}`;
}

function print(name: string, text: string): void {
  printLines(`  ${name.padEnd(16)}${text}`);
}
