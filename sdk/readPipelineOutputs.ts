import * as pulumi from "@pulumi/pulumi";
import { argumentInvalid } from "../provider/errors/argumentInvalid.js";
import { displayText } from "../provider/errors/displayText.js";
import type { Project } from "../provider/model/project.js";
import type * as parsers from "../provider/wire/pipelineOutputs.js";
import type { PipelineOutputs } from "./pipelineOutputs.js";
import { checkKeys, checkText } from "./reading/checkArguments.js";
import { detach } from "./reading/detach.js";
import { waitForErrors, waitForOutput } from "./reading/inlineProgram.js";
import { defineLazyOutput } from "./reading/lazyOutput.js";

/** The names of the outputs that {@link readPipelineOutputs} reads. */
export interface PipelineOutputNames {
  /** The output with the project. Default `project`. */
  project?: string | undefined;
  /** The output with the credentials. Default `credentials`. */
  credentials?: string | undefined;
}

/**
 * Reads what another stack exports with `pipelineOutputs`.
 *
 * `project` is secret only if the other stack exports it as a secret. `credentials` are always secret.
 * Each output is read when the program first uses it, so a program that does not use the credentials
 * can also read a stack without them. Unknown fields are ignored. The Project Service is not needed.
 *
 * @param stack the stack that exports the outputs.
 * @param names the names of the outputs, default `project` and `credentials`.
 * @returns the project and its credentials, in the shape of a `ProjectSnapshot`.
 * @throws ProjectServiceError `ARGUMENT_INVALID`. The outputs reject with `NOT_FOUND` if the stack has
 *   no such output, and with `ARGUMENT_INVALID` if an output has another shape.
 *
 * Source: the outputs of the other stack, in the state.
 *
 * @example
 * const hosting = new pulumi.StackReference("organization/hosting/production");
 * export const domain = readPipelineOutputs(hosting).project.domain;
 */
export function readPipelineOutputs(
  stack: pulumi.StackReference,
  names: PipelineOutputNames = {},
): PipelineOutputs {
  waitForErrors();
  // A method of any copy of the SDK.
  if (typeof (stack as Partial<pulumi.StackReference> | undefined)?.getOutput !== "function") {
    throw argumentInvalid(
      "readPipelineOutputs needs a stack reference. To read a stack by its name, pass new pulumi.StackReference(name).",
    );
  }
  checkKeys("The names of readPipelineOutputs", names, ["project", "credentials"]);
  const { project = "project", credentials = "credentials" } = names;
  const caller = { name: "readPipelineOutputs", takesOutputs: false };
  checkText(caller, "project", project);
  checkText(caller, "credentials", credentials);
  const outputs = {};
  defineLazyOutput(outputs, "project", readProject, { stack, name: project });
  defineLazyOutput(outputs, "credentials", readCredentials, { stack, name: credentials });
  return outputs as PipelineOutputs;
}

/** An output of a stack. */
interface Source {
  readonly stack: pulumi.StackReference;
  readonly name: string;
}

function readProject(key: string, source: Source): pulumi.Output<Project> {
  return readOutput(key, source, ({ projectOfOutput }) => projectOfOutput);
}

function readCredentials(key: string, source: Source): pulumi.Output<unknown> {
  const credentials = readOutput(key, source, ({ credentialsOfOutput }) => credentialsOfOutput);
  return pulumi.secret(credentials);
}

/** Returns an output of the stack, as secret as it is there. */
function readOutput<T>(
  key: string,
  { stack, name }: Source,
  select: (module: typeof parsers) => (output: parsers.StackOutput) => T,
): pulumi.Output<T> {
  // All outputs together are secret if one of them is. Their names are not.
  const names = pulumi.unsecret(stack.outputs).apply((outputs) => Object.keys(outputs));
  const output = pulumi
    .all([stack.getOutput(name), names, pulumi.unsecret(stack.name)])
    .apply<T>(([value, names, stackName]) =>
      detach(async () => {
        const parse = select(await import("../provider/wire/pipelineOutputs.js"));
        const place = `the stack ${displayText(stackName, 200)}`;
        const option = `readPipelineOutputs(stack, { ${key}: … })`;
        return parse({ name, value, names, place, option });
      }),
    );
  waitForOutput(output);
  return output;
}
