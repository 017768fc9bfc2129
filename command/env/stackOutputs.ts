import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import type { Project } from "../../provider/model/project.js";
import {
  credentialsOfOutput,
  projectOfOutput,
  type StackOutput,
} from "../../provider/wire/checkPipelineOutputs.js";
import type { OptionValues } from "../commandLine.js";
import { settingsSource, type stackOptions } from "../commandSettings.js";
import { parseJsonText } from "../parseJsonText.js";
import { checkDecryption, runPulumi } from "../pulumi.js";

const place = "the outputs of the stack";
const otherwise = "or pass --project";

/**
 * Reads the project in the outputs of a stack, which the Pulumi CLI prints. With `credentials`, Pulumi decrypts them, and
 * the databases have theirs.
 *
 * @throws ProjectServiceError `SETTINGS_INVALID`, `ARGUMENT_INVALID`, `NOT_FOUND`. The message contains no value.
 */
export async function readRecordedProject({
  credentials,
  ...options
}: OptionValues<typeof stackOptions> & { credentials: boolean }): Promise<Project> {
  const { directory, stack } = settingsSource(options);
  const secrets = credentials ? ["--show-secrets"] : [];
  const args = ["stack", "output", "--json", ...secrets];
  const json = await runPulumi(args, directory, stack, otherwise);
  const outputs = parseJsonText(
    String(json),
    "Run it in the folder of the project to see why.",
    "The output of pulumi stack output",
  ) as Readonly<Record<string, unknown>>;
  const ofProject = outputIn(outputs, "project");
  const project = projectOfOutput(ofProject);
  if (!credentials) return project;
  const { databases } = credentialsOfOutput(outputIn(outputs, "credentials"), ofProject);
  const byEnvironment = new Map(Object.entries(databases));
  const environments = project.environments.map((environment) => {
    const known = byEnvironment.get(environment.environmentId) ?? [];
    // A service can leave the associationId out.
    const ofEnvironment = environment.databases.map((each) => ({
      ...known.find(
        ({ name, associationId }) => name === each.name && associationId === each.associationId,
      ),
      ...each,
    }));
    return { ...environment, databases: ofEnvironment };
  });
  return { ...project, environments };
}

function outputIn(outputs: Readonly<Record<string, unknown>>, name: string): StackOutput {
  const value = Object.hasOwn(outputs, name) ? outputs[name] : undefined;
  refuseHidden(value, `output ${name}`);
  // CLI 3.220.0 prints this for a wrong passphrase, and ends with 0.
  if (value === null) {
    throw argumentInvalid(`Pulumi could not decrypt the output ${name}. ${checkDecryption}`);
  }
  return { name, value, place, otherwise };
}

/** Refuses a value in whose place Pulumi printed that it is secret. */
export function refuseHidden(value: unknown, what: string): void {
  if (value !== "[secret]") return;
  throw argumentInvalid(
    `The ${what} in ${place} is hidden: [secret]. Export the project as pipelineOutputs returns it, or pass --credentials.`,
  );
}
