import { isUtf8 } from "node:buffer";
import { displayText } from "../../provider/errors/displayText.js";
import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import type { Project } from "../../provider/model/project.js";
import {
  credentialsOfOutput,
  projectOfOutput,
  type StackOutput,
} from "../../provider/wire/checkPipelineOutputs.js";
import { parseJsonText } from "../parseJsonText.js";
import { hiddenSecret } from "../pulumi.js";

/** The JSON that `pulumi stack output --json` prints, and what messages say about it. */
export interface OutputsText {
  readonly bytes: Buffer;
  /** The source of the text for messages, such as `standard input`. */
  readonly place: string;
  /** Advice if the text has another shape. */
  readonly advice: string;
  /** Advice if a value in it is hidden. */
  readonly adviceIfHidden: string;
}

/** The options that name outputs. */
interface OutputOptions {
  readonly credentials: boolean;
  readonly "project-output"?: string | undefined;
  readonly "credentials-output"?: string | undefined;
}

/**
 * Returns the project in the outputs of a stack. With `credentials`, its databases have theirs.
 *
 * @returns also `hiddenError`, which makes the error about a value that Pulumi did not show.
 * @throws ProjectServiceError `ARGUMENT_INVALID`, `NOT_FOUND`. The message contains no value.
 */
export function projectInOutputs(text: OutputsText, options: OutputOptions) {
  const outputs = parse(text);
  const { place, adviceIfHidden } = text;
  const hiddenError = (what: string) =>
    argumentInvalid(`The ${what} in ${place} is hidden: ${hiddenSecret}. ${adviceIfHidden}`);
  const output = (key: "project" | "credentials"): StackOutput => {
    const option = `${key}-output` as const;
    const name = options[option] ?? key;
    const value = Object.hasOwn(outputs, name) ? outputs[name] : undefined;
    if (value === hiddenSecret) throw hiddenError(`output ${displayText(name)}`);
    // CLI 3.220.0 prints this for a wrong passphrase, and ends with 0.
    if (value === null) {
      throw argumentInvalid(
        `Pulumi could not decrypt the output ${displayText(name)}. Check PULUMI_CONFIG_PASSPHRASE, or the access to the secrets provider.`,
      );
    }
    return { name, value, place, option: `--${option}` };
  };
  const ofProject = output("project");
  const project = projectOfOutput(ofProject);
  if (!options.credentials) return { project, hiddenError };
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
  return { project: { ...project, environments } as Project, hiddenError };
}

function parse({ bytes, place, advice }: OutputsText): Readonly<Record<string, unknown>> {
  const subject = place.replace(/^./, (letter) => letter.toUpperCase());
  if (!isUtf8(bytes)) throw argumentInvalid(`${subject} is not UTF-8 text. ${advice}`);
  const text = bytes.toString();
  if (text.trim() === "") throw argumentInvalid(`${subject} is empty. ${advice}`);
  const outputs = parseJsonText(text, advice, subject);
  if (typeof outputs === "object" && outputs !== null && !Array.isArray(outputs)) {
    return outputs as Record<string, unknown>;
  }
  throw argumentInvalid(`${subject} must be a JSON object with all outputs. ${advice}`);
}
