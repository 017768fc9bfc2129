import { displayText } from "../../provider/errors/displayText.js";
import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import type { Project } from "../../provider/model/project.js";
import {
  credentialsOfOutput,
  projectOfOutput,
  type StackOutput,
} from "../../provider/wire/checkPipelineOutputs.js";
import { checkDecryption } from "../pulumi.js";

/** The outputs of a stack, as `pulumi stack output --json` prints them. */
export type StackOutputs = Readonly<Record<string, unknown>>;

const place = "the outputs of the stack";

/** The options that name outputs. */
interface OutputOptions {
  readonly credentials: boolean;
  readonly "project-output"?: string | undefined;
  readonly "credentials-output"?: string | undefined;
}

/**
 * Returns the project in the outputs of a stack. With `credentials`, its databases have theirs.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID`, `NOT_FOUND`. The message contains no value.
 */
export function projectInOutputs(outputs: StackOutputs, options: OutputOptions): Project {
  const output = (key: "project" | "credentials"): StackOutput => {
    const option = `${key}-output` as const;
    const name = options[option] ?? key;
    const value = Object.hasOwn(outputs, name) ? outputs[name] : undefined;
    refuseHidden(value, `output ${displayText(name)}`);
    // CLI 3.220.0 prints this for a wrong passphrase, and ends with 0.
    if (value === null) {
      throw argumentInvalid(
        `Pulumi could not decrypt the output ${displayText(name)}. ${checkDecryption}`,
      );
    }
    return { name, value, place, option: `--${option}` };
  };
  const ofProject = output("project");
  const project = projectOfOutput(ofProject);
  if (!options.credentials) return project;
  const { databases } = credentialsOfOutput(output("credentials"), ofProject);
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

/** Refuses a value in whose place Pulumi printed that it is secret. */
export function refuseHidden(value: unknown, what: string): void {
  if (value !== "[secret]") return;
  throw argumentInvalid(
    `The ${what} in ${place} is hidden: [secret]. Pass --show-secrets to pulumi stack output, or --credentials to run. Without credentials, export the project as pipelineOutputs returns it.`,
  );
}
