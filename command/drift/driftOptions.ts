import { parseArgs } from "node:util";
import { resolve } from "node:path";
import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import { displayText } from "../../provider/errors/displayText.js";
import { type Formats, type Output, outputOptions } from "../outputOption.js";
import { refuseRepeated, wordOption } from "../optionValues.js";
import { type FormatName, formatNames } from "./report/formatDrift.js";

export const driftUsage = `Usage: project-service drift [options] [-- <options of pulumi preview>]

Says what has changed in the Project Service since it was recorded: runs pulumi
preview, and compares the recorded projects with those of the service. Prints no
credential.

  --stack <name>           the stack; default: the selected one
  --cwd <folder>           folder of the Pulumi project; default: this folder
  --preview <file>         read the JSON of a preview instead of running one;
                           - reads standard input. To make it:
                           pulumi preview --json --refresh=false --show-sames
  --format <format>        table (default), json or markdown
  --output [format=]<file> write a report to this file; can be repeated
  --help                   print this help

Endings of files that choose a format: .json .md .txt

Changes to the program and to other resources are shown, and are no drift. In a
step on GitHub, the command sets the output drift to true or false.

Exit code: 0 no drift, 7 drift, 2 the command could not look.
`;

/** The options of `project-service drift`, checked and complete. */
export interface DriftOptions {
  /** The file with the JSON of a preview, or `-` for standard input. Undefined: run one. */
  readonly previewFile: string | undefined;
  readonly directory: string;
  /** The arguments of `pulumi preview` that the user chose. */
  readonly pulumiArguments: readonly string[];
  /** The format on standard output. Undefined: standard output carries no report. */
  readonly printedFormat: FormatName | undefined;
  readonly outputs: readonly Output<FormatName>[];
}

const formats: Formats<FormatName> = {
  names: formatNames,
  endings: [
    [".json", "json"],
    [".md", "markdown"],
    [".txt", "table"],
  ],
};

/** Parses the command line. Returns undefined if the user asks for help. */
export function parseDriftOptions(args: readonly string[]): DriftOptions | undefined {
  const end = args.includes("--") ? args.indexOf("--") : args.length;
  const passedOn = args.slice(end + 1);
  const text = { type: "string" } as const;
  const { values, tokens } = parseArgs({
    tokens: true,
    args: args.slice(0, end),
    options: {
      stack: text,
      cwd: text,
      preview: text,
      format: text,
      output: { type: "string", multiple: true },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help === true) return undefined;
  refuseRepeated(tokens, ["output"]);
  const { output = [], format, preview, stack, cwd } = values;
  if (preview !== undefined && (stack !== undefined || cwd !== undefined || passedOn.length > 0)) {
    throw argumentInvalid(
      "With --preview, the command runs no preview, so --stack, --cwd and options after -- do not apply. Leave them out.",
    );
  }
  refuseOptions(passedOn);
  return {
    previewFile: preview,
    directory: resolve(cwd ?? "."),
    pulumiArguments: [...(stack === undefined ? [] : ["--stack", stack]), ...passedOn],
    printedFormat:
      output.length > 0 ? undefined : wordOption("--format", format ?? "table", formatNames),
    outputs: outputOptions(output, format, formats),
  };
}

/** With these, the preview would compare something else, or print something else. */
const refused = /^(--(refresh|expect-no-changes|json|show-sames|diff|help)(=.*)?|-[rjh]+(=.*)?)$/;

function refuseOptions(args: readonly string[]): void {
  const found = args.find((arg) => refused.test(arg));
  if (found === undefined) return;
  throw argumentInvalid(
    `The option ${displayText(found)} cannot be passed to pulumi preview, because the command chooses it itself. Leave it out.`,
  );
}
