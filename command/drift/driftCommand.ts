import { argumentInvalid, ProjectServiceError } from "../../provider/errors/projectServiceError.js";
import { readCounter } from "../../provider/reading/progress.js";
import type { ProjectService } from "../../provider/reading/projectService.js";
import { reread } from "../../provider/snapshot/reread.js";
import {
  defaultNamespace,
  findInConfig,
  type FoundSettings,
  type StackConfig,
} from "../../provider/settings/foundSettings.js";
import { resolveSettings } from "../../provider/settings/resolveSettings.js";
import { defineCommand } from "../commandLine.js";
import {
  readStackConfig,
  serviceWith,
  settingsSource,
  stackOptions,
  stackUsage,
} from "../commandSettings.js";
import { outputOptions, writeReports } from "../outputOption.js";
import { printStderr, showProgressLine } from "../standardStreams.js";
import { comparedRecord, type ComparedSnapshot, compareRecords } from "./compareSnapshot.js";
import {
  comparesNone,
  createDriftReport,
  type DriftFormat,
  driftSummary,
  formatDrift,
} from "./driftReport.js";
import { readStack, readStateFile, type RecordedSnapshot, titleOf } from "./readState.js";

const usage = `Usage: pulumi-project-service drift [options]

Shows what has changed in the Project Service since it was recorded: reads the
snapshots in the state of a stack, reads their projects again as a refresh does,
and compares. Does not run the program, changes no state, prints no credential.

${stackUsage}
  --state <file>           read an exported state instead of a stack, - for
                           standard input; settings: environment variables
  --format <format>        table, json or markdown; default: by the ending of
                           --output, otherwise table
  --output <file>          write a report to this file; can be repeated
  --help                   print this help

File endings that choose a format: .json .md .txt

Examples:
  pulumi-project-service drift --stack production
  pulumi-project-service drift --state export.json --output drift.md

Exit code: 0 no drift, 7 drift, 2 drift could not be checked or a report not
written.
`;

const endings = { json: [".json"], markdown: [".md"], table: [".txt"] };

/** Returns 0 without drift, 7 with drift. */
export const driftCommand = defineCommand(
  usage,
  {
    ...stackOptions,
    state: { type: "string" },
    format: { type: "string" },
    output: { type: "string", multiple: true, default: [] },
  },
  async ({ state, ...values }) => {
    const outputs = outputOptions(values.output, values.format, endings, [state]);
    if (state !== undefined && (values.stack ?? values.cwd) !== undefined) {
      throw argumentInvalid("--state replaces --stack and --cwd. Leave them out.");
    }
    const source = settingsSource(values);
    const snapshots = state === undefined ? await readStack(source) : await readStateFile(state);
    const config = state === undefined ? await readStackConfig(source) : undefined;
    const readAt = new Date();
    const results = await compareAll(snapshots, config, source.directory);
    const compared = results.filter((each) => typeof each !== "string");
    const notCompared = results.filter((each) => typeof each === "string");
    const report = createDriftReport(snapshots[0]!.urn, compared, notCompared, readAt);
    const textIn = (format: DriftFormat) => formatDrift(report, format);
    writeReports(outputs, textIn, driftSummary(report));
    const reasons = report.snapshots.filter(comparesNone).flatMap((each) => each.notCompared);
    for (const reason of [...notCompared, ...reasons]) printStderr(`Not compared: ${reason}`);
    if (notCompared.length > 0 || report.drift === null) return 2;
    return report.drift ? 7 : 0;
  },
);

/**
 * Compares each snapshot. One that cannot be compared has the reason in its place.
 *
 * @param config that of the stack. Without it, only environment variables count.
 */
async function compareAll(
  snapshots: readonly RecordedSnapshot[],
  config: StackConfig | undefined,
  directory: string,
): Promise<(ComparedSnapshot | string)[]> {
  const services: ProjectService[] = [];
  const { onProgress, text } = readCounter(
    () => services.flatMap(({ slowness }) => slowness ?? [])[0],
  );
  const counts = new Map<RecordedSnapshot, readonly [read: number, total: number]>();
  const countProjects = (snapshot: RecordedSnapshot) => (read: number, total: number) => {
    counts.set(snapshot, [read, total]);
    const sum = (index: 0 | 1) => [...counts.values()].reduce((all, each) => all + each[index], 0);
    onProgress(sum(0), sum(1));
  };
  const namespaces = new Set(snapshots.map(({ recorded }) => recorded.connection));
  const settings = new Map([...namespaces].map((each) => [each, findSettings(each, config)]));
  const compare = async (snapshot: RecordedSnapshot) => {
    try {
      const recorded = comparedRecord(snapshot);
      const service = await serviceWith(
        resolveSettings(settings.get(recorded.connection)!, directory),
      );
      services.push(service);
      const read = await reread(service, recorded, countProjects(snapshot));
      return compareRecords(snapshot, read);
    } catch (error) {
      if (!(error instanceof ProjectServiceError)) throw error;
      return `${titleOf(snapshot)}: ${error.message}`;
    }
  };
  return showProgressLine(text, () => Promise.all(snapshots.map(compare)));
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
