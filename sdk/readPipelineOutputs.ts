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
 * @param outputNames the names of the outputs, default `project` and `credentials`.
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
  outputNames: PipelineOutputNames = {},
): PipelineOutputs {
  waitForErrors();
  // A method of any copy of the SDK.
  if (typeof (stack as Partial<pulumi.StackReference> | undefined)?.getOutput !== "function") {
    throw argumentInvalid(
      "readPipelineOutputs needs a stack reference. To read a stack by its name, pass new pulumi.StackReference(name).",
    );
  }
  checkKeys("The names of readPipelineOutputs", outputNames, ["project", "credentials"]);
  const { project = "project", credentials = "credentials" } = outputNames;
  const caller = { name: "readPipelineOutputs", takesOutputs: false };
  checkText(caller, "project", project);
  checkText(caller, "credentials", credentials);
  const outputs = {};
  const names = { project, credentials };
  defineLazyOutput(outputs, "project", readProject, { stack, names });
  defineLazyOutput(outputs, "credentials", readCredentials, { stack, names });
  return outputs as PipelineOutputs;
}

/** The outputs of a stack. */
interface Source {
  readonly stack: pulumi.StackReference;
  readonly names: Readonly<Record<"project" | "credentials", string>>;
}

function readProject(_key: string, source: Source): pulumi.Output<Project> {
  return readOutputs(source, ["project"], ({ projectOfOutput }, [project]) =>
    projectOfOutput(project as parsers.StackOutput),
  );
}

/** Also reads the project, because the credentials must belong to it. */
function readCredentials(_key: string, source: Source): pulumi.Output<unknown> {
  const credentials = readOutputs(
    source,
    ["credentials", "project"],
    ({ credentialsOfOutput }, [credentials, project]) =>
      credentialsOfOutput(credentials as parsers.StackOutput, project as parsers.StackOutput),
  );
  return pulumi.secret(credentials);
}

/** Returns what `parse` makes of outputs of the stack, as secret as they are there. */
function readOutputs<T>(
  { stack, names }: Source,
  keys: readonly ("project" | "credentials")[],
  parse: (module: typeof parsers, outputs: readonly parsers.StackOutput[]) => T,
): pulumi.Output<T> {
  // All outputs together are secret if one of them is. Their names are not.
  const existing = pulumi.unsecret(stack.outputs).apply((outputs) => Object.keys(outputs));
  const values = keys.map((key) => stack.getOutput(names[key]));
  const output = pulumi
    .all([pulumi.all(values), existing, pulumi.unsecret(stack.name)])
    .apply<T>(([known, existingNames, stackName]) =>
      detach(async () => {
        const module = await import("../provider/wire/pipelineOutputs.js");
        const outputs = keys.map((key, index) => ({
          name: names[key],
          value: known[index] as unknown,
          names: existingNames,
          place: `the stack ${displayText(stackName, 200)}`,
          option: `readPipelineOutputs(stack, { ${key}: … })`,
        }));
        return parse(module, outputs);
      }),
    );
  waitForOutput(output);
  return output;
}
