import { displayCount, displayJson, displayText } from "../../provider/errors/displayText.js";
import { compareValues } from "../../provider/model/compareValues.js";
import { serviceForm } from "../../provider/wire/serviceForm.js";
import { defineCommand } from "../commandLine.js";
import { commandSettings, locationOf, locationOptions } from "../commandSettings.js";
import { parseFilter, readFleet } from "../readFleet.js";
import { isStandardOutput, say } from "../standardStreams.js";
import { writeFile } from "../writeFile.js";

const usage = `Usage: pulumi-project-service export [options]

Writes the projects of a Project Service as JSON, in the form of the service,
without credentials and without fields that its document does not describe.

  --output <file>          write to this file; default: standard output
  --filter <condition>     only these projects: name=shop (whole value),
                           name*=sho (a part of it); all must match
  --stack <name>           read the settings from the config of this stack
  --cwd <folder>           folder of the Pulumi project; default: this folder
  --connection <namespace> config namespace; default: project-service
  --help                   print this help

The sandbox serves such a file: pulumi-project-service sandbox --projects <file>

Exit code: 0 all projects were written, 2 none were written.
`;

/** Returns 0. If nothing was written, it fails. */
export const exportCommand = defineCommand(
  usage,
  {
    output: { type: "string" },
    filter: { type: "string", multiple: true, default: [] as string[] },
    ...locationOptions,
  },
  async ({ output = "-", filter, ...values }) => {
    const filters = filter.map(parseFilter);
    const settings = await commandSettings(locationOf(values));
    const advice =
      "Nothing was written, because they would look deleted. Ask for access or correct them in the service.";
    const { projects } = await readFleet(settings, filters, "export", advice);
    projects.sort((a, b) => compareValues(a.projectId, b.projectId));
    writeFile(output, `${displayJson(projects.map(serviceForm))}\n`);
    if (!isStandardOutput(output)) {
      say(`${displayCount(projects.length, "project")} written to ${displayText(output, 1000)}.`);
    }
    return 0;
  },
);
