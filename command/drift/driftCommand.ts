import { displayCount } from "../../provider/errors/displayText.js";
import { argumentInvalid, ProjectServiceError } from "../../provider/errors/projectServiceError.js";
import { readCounter } from "../../provider/reading/progress.js";
import type { ProjectService } from "../../provider/reading/projectService.js";
import {
  defaultNamespace,
  findInConfig,
  type FoundSettings,
  type StackConfig,
} from "../../provider/settings/foundSettings.js";
import { resolveSettings } from "../../provider/settings/resolveSettings.js";
import { defineCommand, enumOption } from "../commandLine.js";
import {
  readStackConfig,
  serviceWith,
  settingsSource,
  stackOptions,
  stackUsage,
} from "../commandSettings.js";
import { outputOptions, writeReports } from "../outputOption.js";
import {
  isStandardOutput,
  printsColors,
  printStdout,
  printStderr,
  showProgressLine,
} from "../standardStreams.js";
import { type ComparedSnapshot, compareSnapshot } from "./compareSnapshot.js";
import { createDriftReport, type DriftFormat, formatDrift, isEmpty } from "./driftReport.js";
import { readStack, readStateFile, type RecordedSnapshot, titleOf } from "./readState.js";

const usage = `Usage: pulumi-project-service drift [options]

Shows what has changed in the Project Service since it was recorded: reads the
snapshots in the state of a stack, reads their projects again as a refresh does,
and compares. Runs no program, changes no state, and prints no credential.

${stackUsage}
  --state <file>           read an exported state instead of a stack, - for
                           standard input; settings: environment variables
  --format <format>        table (default), json or markdown
  --output <file>          write a report to this file too; can be repeated
  --help                   print this help

File endings that choose a format: .json .md .txt

Examples:
  pulumi-project-service drift --stack production
  pulumi-project-service drift --state export.json --output drift.md

Exit code: 0 no drift, 7 drift (not a code of Node or npx), 2 a snapshot could
not be compared.
`;

const endings = { json: [".json"], markdown: [".md"], table: [".txt"] };
const driftFormats = Object.keys(endings) as DriftFormat[];

/** Returns 0 without drift, 7 with drift. */
export const driftCommand = defineCommand(
  usage,
  {
    ...stackOptions,
    state: { type: "string" },
    format: { type: "string", default: "table" },
    output: { type: "string", multiple: true, default: [] },
  },
  async ({ state, ...values }) => {
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
    const source = settingsSource(values);
    const snapshots = state === undefined ? await readStack(source) : await readStateFile(state);
    const config = state === undefined ? await readStackConfig(source) : undefined;
    const readAt = new Date();
    const results = await compareAll(snapshots, config, source.directory);
    const compared = results.filter((each) => typeof each !== "string");
    const notCompared = results.filter((each) => typeof each === "string");
    const report = createDriftReport(snapshots[0]!.urn, compared, notCompared, readAt);
    printStdout(formatDrift(report, format, printsColors()));
    writeReports(outputs, (each) => formatDrift(report, each, false));
    if (notCompared.length > 0) {
      const snapshots = displayCount(notCompared.length, "snapshot");
      printStderr(`Cannot check ${snapshots} for drift: see the report.`);
    }
    if (notCompared.length > 0 || isEmpty(report)) return 2;
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
  const { counterOf, text } = readCounters(
    () => services.flatMap(({ slowness }) => slowness ?? [])[0],
  );
  const namespaces = new Set(snapshots.map(({ recorded }) => recorded.connection));
  const settings = new Map([...namespaces].map((each) => [each, findSettings(each, config)]));
  const compare = async (snapshot: RecordedSnapshot) => {
    const openReader = async () => {
      const found = settings.get(snapshot.recorded.connection)!;
      const service = await serviceWith(resolveSettings(found, directory));
      services.push(service);
      const warn = (sentence: string) => printStderr(`Warning: ${titleOf(snapshot)}: ${sentence}`);
      return { service, warn, onProgress: counterOf(snapshot) };
    };
    try {
      return await compareSnapshot(snapshot, openReader);
    } catch (error) {
      if (!(error instanceof ProjectServiceError)) throw error;
      return `${titleOf(snapshot)}: ${error.message}`;
    }
  };
  return showProgressLine(text, () => Promise.all(snapshots.map(compare)));
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
