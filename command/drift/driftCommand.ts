import { didYouMean, displayCount, displayText } from "../../provider/errors/displayText.js";
import { argumentInvalid, ProjectServiceError } from "../../provider/errors/projectServiceError.js";
import { namesNothing, withoutArguments } from "../../provider/errors/withoutArguments.js";
import { isComparable } from "../../provider/model/projectFilter.js";
import { pathsOf, projectFields } from "../../provider/model/projectFields.js";
import { readCounter } from "../../provider/service/progress.js";
import type { ProjectService } from "../../provider/service/projectService.js";
import {
  defaultNamespace,
  findInConfig,
  type FoundSettings,
  type StackConfig,
} from "../../provider/settings/foundSettings.js";
import { isInPulumiProject } from "../../provider/settings/projectFolder.js";
import { openService, type Reader } from "../../provider/snapshot/recordedProjects.js";
import { defineCommand, enumOption } from "../commandLine.js";
import { readStackConfig, settingsSource, stackOptions, stackUsage } from "../commandSettings.js";
import { outputOptions, writeReports } from "../outputOption.js";
import {
  isStandardOutput,
  printsColors,
  printStdout,
  printStderr,
  showProgressLine,
} from "../standardStreams.js";
import { type ComparedSnapshot, compareSnapshot, isHidden } from "./compareSnapshot.js";
import { createDriftReport, type DriftFormat, formatDrift, isEmpty } from "./driftReport.js";
import { readStack, readStateFile, type RecordedSnapshot, titleOf } from "./readState.js";

const usage = `Usage: pulumi-project-service drift [options]

Shows what has changed in the Project Service since it was recorded: reads the
snapshots in the state of a stack, reads their projects again as a refresh does,
and compares. Runs no program, changes no state, and prints no credential.

${stackUsage}
  --state <file>           read an exported state instead of a stack, - for
                           standard input; settings: environment variables
  --ignore-field <path>    ignore a field and all below it, as in fields; also
                           credentials and projects; can be repeated
  --format <format>        table (default), json or markdown
  --output [format=]<file> write a report to this file too; can be repeated
  --help                   print this help

File endings that choose a format: .json .md .txt

Examples:
  pulumi-project-service drift --stack production
  pulumi-project-service drift --state export.json --output drift.md

Exit code: 0 no drift, 7 drift, 2 a snapshot could not be compared.
`;

const endings = { json: [".json"], markdown: [".md"], table: [".txt"] };
const driftFormats = Object.keys(endings) as DriftFormat[];

/** Returns 0 without drift, 7 with drift. */
export const driftCommand = defineCommand(
  usage,
  {
    ...stackOptions,
    state: { type: "string" },
    "ignore-field": { type: "string", multiple: true, default: [] as string[] },
    format: { type: "string", default: "table" },
    output: { type: "string", multiple: true, default: [] },
  },
  async ({ "ignore-field": ignoredFields, state, ...values }) => {
    const format = enumOption("--format", values.format, driftFormats);
    const outputs = outputOptions(values.output, undefined, endings, [state]);
    if (outputs.some(({ file }) => isStandardOutput(file))) {
      throw argumentInvalid(
        "--output is not needed for standard output: the report goes there anyway, in the format of --format.",
      );
    }
    if (state !== undefined && (values.stack ?? values.cwd) !== undefined) {
      throw argumentInvalid("--state replaces --stack and --cwd. Leave them out.");
    }
    checkIgnoredFields(ignoredFields);
    const source = settingsSource(values);
    const snapshots = state === undefined ? await readStack(source) : await readStateFile(state);
    const hasConfig = state === undefined && isInPulumiProject(source.directory);
    const config = hasConfig ? await readStackConfig(source) : undefined;
    const readAt = new Date();
    const results = await compareAll(snapshots, config, source.directory, ignoredFields);
    const failures = results.filter((each) => each instanceof ProjectServiceError);
    const compared = results.filter(
      (each): each is ComparedSnapshot => !(each instanceof ProjectServiceError),
    );
    const notCompared = [
      ...failures.map(({ message }) => message),
      ...ignoredFields.map((field) => `${displayText(field)}, by --ignore-field`),
    ];
    const report = createDriftReport(snapshots[0]!.urn, compared, notCompared, readAt);
    printStdout(formatDrift(report, format, printsColors()));
    writeReports(outputs, (each) => formatDrift(report, each, false));
    if (failures.length > 0) {
      printStderr(
        `Cannot check ${displayCount(failures.length, "snapshot")} for drift: see the report.`,
      );
      return 2;
    }
    if (isEmpty(report)) return 2;
    return report.drift ? 7 : 0;
  },
);

function checkIgnoredFields(fields: readonly string[]): void {
  const known = [...pathsOf(projectFields), "credentials", "projects"];
  for (const field of fields) {
    if (known.includes(field)) continue;
    const advice = didYouMean(field, known, "fields");
    throw argumentInvalid(`--ignore-field ${displayText(field)} is not a field. ${advice}.`);
  }
  const isLeft = (path: string) => !isBelow(fields, path);
  const compared = pathsOf(projectFields, isComparable);
  if ([...compared, "credentials", "projects"].some(isLeft)) return;
  throw argumentInvalid("--ignore-field leaves nothing to compare.");
}

function isBelow(fields: readonly string[], path: string): boolean {
  return fields.some((field) => `${path}.`.startsWith(`${field}.`));
}

/**
 * Compares each snapshot. One that cannot be compared has its error in its place.
 *
 * @param config that of the stack. Without it, only environment variables count.
 */
async function compareAll(
  snapshots: readonly RecordedSnapshot[],
  config: StackConfig | undefined,
  directory: string,
  ignoredFields: readonly string[],
): Promise<(ComparedSnapshot | ProjectServiceError)[]> {
  const services: ProjectService[] = [];
  const { counterOf, text } = readCounters(
    () => services.flatMap(({ slowness }) => slowness ?? [])[0],
  );
  const namespaces = new Set(snapshots.map(({ recorded }) => recorded.connection));
  const settings = new Map([...namespaces].map((each) => [each, findSettings(each, config)]));
  const compare = async (snapshot: RecordedSnapshot) => {
    try {
      const found = settings.get(snapshot.recorded.connection)!;
      const isSecret = isHidden(snapshot);
      const reader: Reader = {
        service: await openService(found, snapshot.recorded, isSecret, directory),
        warn: (sentence) => printStderr(`Warning: ${titleOf(snapshot)}: ${sentence}`),
        onProgress: counterOf(snapshot),
      };
      services.push(reader.service);
      return await compareSnapshot(snapshot, reader, (path) => isBelow(ignoredFields, path));
    } catch (error) {
      if (!(error instanceof ProjectServiceError)) throw error;
      const reason = reasonOf(snapshot, error);
      return new ProjectServiceError(error.code, `${titleOf(snapshot)}: ${reason}`);
    }
  };
  return showProgressLine(text, () => Promise.all(snapshots.map(compare)));
}

function reasonOf(snapshot: RecordedSnapshot, error: ProjectServiceError): string {
  if (!isHidden(snapshot)) return error.message;
  // A failed request names the host, which is that of the recorded service.
  return snapshot.secretKeys.has("service") ? namesNothing(error) : withoutArguments(error).message;
}

/** Counts the projects of all snapshots together. */
function readCounters(slowness: () => string | undefined) {
  const { onProgress, text } = readCounter(slowness);
  const counts = new Map<RecordedSnapshot, readonly [number, number]>();
  const counterOf = (snapshot: RecordedSnapshot) => (read: number, total: number) => {
    counts.set(snapshot, [read, total]);
    const sum = (index: 0 | 1) => [...counts.values()].reduce((all, each) => all + each[index], 0);
    onProgress(sum(0), sum(1));
  };
  return { counterOf, text };
}

function findSettings(
  connection = defaultNamespace,
  config: StackConfig | undefined,
): FoundSettings {
  const found = findInConfig(
    connection,
    config,
    "To use the stack config, run drift in the Pulumi project, without --state",
  );
  for (const warning of found.warnings) printStderr(`Warning: ${warning}`);
  return found;
}
