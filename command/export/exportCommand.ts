import { displayCount, displayJson, displayText } from "../../provider/errors/displayText.js";
import { compareValues } from "../../provider/model/compareValues.js";
import {
  type Fields,
  innerFields,
  projectFields,
  serviceNames,
} from "../../provider/model/projectFields.js";
import { pickRecorded } from "../../provider/model/selectedFields.js";
import { defineCommand } from "../commandLine.js";
import {
  commandSettings,
  settingsOptions,
  settingsSource,
  settingsUsage,
} from "../commandSettings.js";
import { filterOptions, filterUsage, readFleet, parseSelection } from "../readFleet.js";
import { isStandardOutput, printStderr } from "../standardStreams.js";
import { requireRegularFile, writeFile } from "../writeFile.js";

const usage = `Usage: pulumi-project-service export [options]

Writes the projects of a Project Service as JSON in its shape,
without credentials or undocumented fields.

  --output <file>          write to this file; default: standard output
${filterUsage}
${settingsUsage}
  --help                   print this help

The sandbox serves such a file: pulumi-project-service sandbox --projects <file>

Examples:
  pulumi-project-service export --output projects.json
  pulumi-project-service export --filter type=TYPO3 --exclude "name*=dev"

Exit code: 0 all selected projects were written, 2 otherwise.
`;

export const exportCommand = defineCommand(
  usage,
  {
    output: { type: "string" },
    ...filterOptions,
    ...settingsOptions,
  },
  async ({ output = "-", ...values }) => {
    if (!isStandardOutput(output)) requireRegularFile(output, "--output");
    const selection = parseSelection(values);
    const settings = await commandSettings(settingsSource(values));
    const advice =
      "Nothing was written, because they would look deleted. Ask for access, or correct the projects in the service. To leave them out anyway, pass --exclude projectId=<id>.";
    const { projects } = await readFleet(settings, selection, "export", advice);
    projects.sort((a, b) => compareValues(a.projectId, b.projectId));
    const forms = projects.map((each) => addFields({}, projectFields, pickRecorded(each)));
    writeFile(output, `${displayJson(forms)}\n`);
    if (!isStandardOutput(output)) {
      printStderr(
        `${displayCount(projects.length, "project")} written to ${displayText(output, 1000)}.`,
      );
    }
    return 0;
  },
);

type Json = Record<string, unknown>;

/**
 * Adds the described fields that the response had to the JSON of the service, without credentials. The keys are in the
 * order of the description, and sorted in JSON of undocumented shape.
 */
function addFields(json: Json, fields: Fields, object: object): Json {
  const { missingFields = [], ...values } = object as Json & { missingFields?: string[] };
  for (const [key, field] of Object.entries(fields)) {
    const value = values[key];
    // A list that the response omitted is empty here.
    if (value === undefined || missingFields.includes(key)) continue;
    const objectAt = (names: readonly string[]) =>
      names.reduce((node, name) => (node[name] ??= {}) as Json, json);
    const names = serviceNames(key, field);
    if (field.kind === "object") {
      addFields(objectAt(names), field.fields, value as object);
      continue;
    }
    const last = names.pop() as string;
    const inService = (inner: object) => addFields({}, innerFields(field), inner);
    objectAt(names)[last] = field.kind === "list" ? (value as object[]).map(inService) : value;
  }
  return json;
}
