import { displayText } from "../../provider/errors/displayText.js";
import { argumentInvalid, ProjectServiceError } from "../../provider/errors/projectServiceError.js";
import type { Project } from "../../provider/model/project.js";
import { compileFilters, type ProjectFilter } from "../../provider/model/projectFilter.js";
import { getProjectService, type ProjectService } from "../../provider/service/projectService.js";
import { isInaccessible } from "../../provider/service/readEach.js";
import type { Settings } from "../../provider/settings/resolveSettings.js";
import { withoutCredentials } from "../../provider/wire/credentials.js";
import { defineCommand, wordOption } from "../commandLine.js";
import { commandSettings, existingFolder, type SettingsLocation } from "../commandSettings.js";
import { outputOptions, writeReports } from "../outputOption.js";
import { isStandardOutput, printsColors, printText } from "../standardStreams.js";
import { type DriftChange, type FindMissing, compareSnapshot } from "./compareSnapshot.js";
import { createReport, formatDrift, type FormatName, summarySentence } from "./driftReport.js";
import { couldNotLook, type Json, type RecordedSnapshot, runPreview, titleOf } from "./preview.js";

const usage = `Usage: pulumi-project-service drift [options]

Says what has changed in the Project Service since it was recorded: runs pulumi
preview, and compares the recorded projects with those of the service. Prints no
credential.

  --stack <name>           the stack; default: the selected one
  --cwd <folder>           folder of the Pulumi project; default: this folder
  --format <format>        table (default), json or markdown
  --output [format=]<file> write a report to this file, beside the table; can be
                           repeated
  --help                   print this help

Endings of files that choose a format: .json .md .txt

Changes to the program and to other resources are shown, and are no drift.

Exit code: 0 no drift, 7 drift, 2 the command could not look.
`;

const endings: Record<FormatName, string> = { json: ".json", markdown: ".md", table: ".txt" };
const formatNames = Object.keys(endings) as FormatName[];

/** Returns 0 without drift, 7 with drift, as `pulumi preview --expect-no-changes` does. */
export const driftCommand = defineCommand(
  usage,
  {
    stack: { type: "string" },
    cwd: { type: "string" },
    format: { type: "string", default: "table" },
    output: { type: "string", multiple: true, default: [] },
  },
  async ({ stack, cwd, ...values }) => {
    const format = wordOption("--format", values.format, formatNames);
    const outputs = outputOptions(values.output, undefined, endings);
    if (outputs.some(({ file }) => isStandardOutput(file))) {
      throw argumentInvalid(
        "The report goes to standard output anyway, in the format of --format. Leave out --output for it.",
      );
    }
    const location = { directory: existingFolder(cwd), stack };
    const { snapshots, otherResources } = await runPreview(location);
    const compared = [];
    for (const each of snapshots) {
      compared.push(await compareSnapshot(each, missingProjectsFinder(location)));
    }
    const report = createReport(compared, otherResources);
    printText(formatDrift(report, format, printsColors()));
    writeReports(outputs, (each) => formatDrift(report, each, false), summarySentence(report));
    return report.drift ? 7 : 0;
  },
);

/**
 * Returns the function that reads recorded projects that the list no longer has. Without that, a list that omits
 * a project would look like a removed one.
 */
function missingProjectsFinder(location: SettingsLocation): FindMissing {
  return async (snapshot, projectIds) => {
    const service = await serviceOf(snapshot, location);
    const fates = projectIds.map(async (id) => {
      const fate = await fateOf(id, snapshot, service);
      return fate === undefined ? [] : [[id, fate] as const];
    });
    return new Map((await Promise.all(fates)).flat());
  };
}

async function serviceOf(
  snapshot: RecordedSnapshot,
  location: SettingsLocation,
): Promise<ProjectService> {
  const { service, connection } = snapshot.before as { [key: string]: string };
  const unclear = (reason: string) =>
    couldNotLook(
      `${titleOf(snapshot)} has recorded projects that the list omits, and drift cannot tell whether they were removed${reason}`,
    );
  let settings: Settings;
  try {
    settings = await commandSettings({ ...location, connection });
  } catch (error) {
    throw unclear(`. ${(error as Error).message}`);
  }
  if (settings.apiUrl === service) return getProjectService(settings);
  throw unclear(
    `, because the settings of this command name another service, ${displayText(settings.apiUrl, 200)}. Give it the settings of the program.`,
  );
}

/** Returns undefined if the project still matches the recorded filters, and only new filters deselect it. */
async function fateOf(
  projectId: string,
  snapshot: RecordedSnapshot,
  service: ProjectService,
): Promise<Pick<DriftChange, "change" | "after"> | undefined> {
  const { before, after } = snapshot;
  let project: Project;
  try {
    project = await service.readProject({ projectId }, withoutCredentials);
  } catch (error) {
    if (!(error instanceof ProjectServiceError)) throw error;
    const { code, message } = error;
    if (code === "NOT_FOUND") return { change: "removed" };
    const isSkipped = isInaccessible(error) && before["onInaccessible"] === "skip";
    if (isSkipped) return { change: "inaccessible", after: code };
    throw couldNotLook(message);
  }
  const matches = ({ filters = [] }: Json) =>
    compileFilters(filters as readonly ProjectFilter[])(project);
  if (!matches(after)) return matches(before) ? undefined : { change: "no longer matching" };
  throw couldNotLook(
    `the list omits project ${displayText(projectId)} of ${titleOf(snapshot)}, which can be read. Check baseUrl and any proxy on the way, and try again.`,
  );
}
