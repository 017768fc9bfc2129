import * as pulumi from "@pulumi/pulumi";
import { displayText } from "../provider/errors/displayText.js";
import { argumentInvalid } from "../provider/errors/projectServiceError.js";
import type {
  CodeRepository,
  Database,
  Environment,
  Project,
  ProjectCredentials,
} from "../provider/model/project.js";
import { projectFields } from "../provider/model/projectFields.js";
import { pickRecorded } from "../provider/model/selectedFields.js";
import { credentialsOf } from "../provider/snapshot/record.js";
import { checkPipelineOutputs } from "../provider/wire/checkPipelineOutputs.js";
import { ProjectSnapshot } from "./projectSnapshot.js";
import { isPending } from "./reading/checkArguments.js";
import { waitForOutput } from "./reading/inlineProgram.js";
import { callOf, checkCall } from "./reading/programErrors.js";
import { runRead } from "./reading/runRead.js";
import { defineLazyOutput } from "./reading/secretCredentials.js";

/** The outputs of a stack with a project. `C` is false if it was read without credentials. */
export interface PipelineOutputs<C extends boolean = true> {
  /** The project, not secret. Its databases and its repository have no credentials. */
  readonly project: pulumi.Output<Project>;
  /** The credentials, secret. Can be undefined with `includeCredentials: false`. */
  readonly credentials: pulumi.Output<C extends false ? undefined : ProjectCredentials>;
}

/** A project whose credentials are secret Outputs, or known values in a secret Output. */
export type ProjectForPipeline = Project<
  CodeRepository & { readonly importRepository: unknown },
  Database & { readonly [K in "username" | "password"]: pulumi.Input<string> }
>;

/**
 * Makes two outputs of a stack: the project in clear, even if it was read with a secret argument, and its credentials
 * as one secret. {@link readPipelineOutputs} reads them in another stack, and the commands `run` and `env` in a job.
 *
 * @param source a `ProjectSnapshot` without `fields`, the result of `getProject`, or an Output or a Promise of one.
 * @returns `project`; `credentials`, which can be undefined if the source was read without them.
 * @throws ProjectServiceError `ARGUMENT_INVALID` for another value. The outputs reject with the errors
 *   of the source.
 *
 * @example
 * const snapshot = new ProjectSnapshot("shop", { name: "shop", includeCredentials: true });
 * export const { project, credentials } = pipelineOutputs(snapshot);
 */
export function pipelineOutputs(
  source: pulumi.Input<ProjectSnapshot<true>> | pulumi.Input<ProjectForPipeline>,
): PipelineOutputs;
export function pipelineOutputs(
  source: pulumi.Input<ProjectSnapshot<false>> | pulumi.Input<Project>,
): PipelineOutputs<false>;
export function pipelineOutputs(source: unknown): PipelineOutputs<boolean> {
  if (!isPending(source)) checkCall(callOf(pipelineOutputs), () => checkSource(source));
  // `pulumi.output(source)` would make a whole result secret, because its credentials are.
  const later = pulumi.Output.isInstance(source) ? source : pulumi.output(0).apply(() => source);
  const parts = later.apply((known) => runRead(() => separate(known)));
  waitForOutput(parts);
  // If the read fails, a program may handle the errors of both outputs. Pulumi leaves this one to nobody.
  pulumi.isSecret(parts).catch(() => {});
  const plain = pulumi.unsecret(parts);
  return {
    project: plain.apply(({ project }) => project),
    credentials: plain.apply(({ credentials }) => credentials),
  } as PipelineOutputs<boolean>;
}

function separate(source: unknown) {
  checkSource(source);
  if (!ProjectSnapshot.isInstance(source)) {
    const project = source as Project;
    return {
      project: pickRecorded(project) as Project,
      credentials: hasCredentials(project) ? pulumi.secret(credentialsOf(project)) : undefined,
    };
  }
  const fields = Object.keys(projectFields).map((key) => [key, source[key as keyof Project]]);
  const credentials: pulumi.Output<unknown> = pulumi.unsecret(source.credentials);
  return {
    project: pulumi.unsecret(pulumi.output(Object.fromEntries(fields)) as pulumi.Output<Project>),
    // A secret without a value would be exported as an output without a value.
    credentials: credentials.apply((value) => value && pulumi.secret(value)),
  };
}

/** Whether a project was read with credentials. A project that can have none counts as such. */
function hasCredentials(project: Project): boolean {
  const { codeRepository, environments } = project;
  const databases = environments.flatMap(({ databases }) => databases);
  if (databases.length > 0) return databases.every((database) => "username" in database);
  return codeRepository === undefined || "importRepository" in codeRepository;
}

function checkSource(source: unknown): void {
  if (ProjectSnapshot.isInstance(source) ? !("fields" in source) : isWhole(source)) return;
  throw argumentInvalid(
    "pipelineOutputs needs the result of getProject, or a ProjectSnapshot without fields, because the other stack gets the whole project.",
  );
}

/** Whether environments have `databases`. Recorded with `fields`, most have none. */
function isWhole(project: unknown): boolean {
  const { environments, missingFields } = Object(project) as Partial<Project>;
  const hasDatabases = ({ databases }: Partial<Environment>) => databases !== undefined;
  return missingFields !== undefined && environments?.every(hasDatabases) === true;
}

/** The names of the outputs that {@link readPipelineOutputs} reads. */
export interface PipelineOutputNames {
  /** The output with the project. Default `project`. */
  project?: string | undefined;
  /** The output with the credentials. Default `credentials`. */
  credentials?: string | undefined;
}

/**
 * Reads what another stack exports with `pipelineOutputs`, without the Project Service.
 *
 * @param stack the stack that exports the outputs.
 * @param outputNames the names of the outputs, default `project` and `credentials`.
 * @returns the project, as secret as the other stack exports it, and its credentials, always secret. Each is read when
 *   the program takes it from the result. It rejects with a ProjectServiceError: `NOT_FOUND` if the stack has no such
 *   output, `ARGUMENT_INVALID` if the outputs have another shape.
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
  const outputOf = (key: "project" | "credentials"): pulumi.Output<unknown> =>
    stack.getOutput(outputNames[key] ?? key);
  const otherwise =
    "or name other outputs: readPipelineOutputs(stack, { project: …, credentials: … })";
  const read = (key: "project" | "credentials") => {
    const credentials = key === "credentials" ? outputOf(key) : undefined;
    const output = pulumi
      .all([outputOf("project"), credentials, pulumi.unsecret(stack.name)])
      .apply(([project, known, name]) => {
        const values = credentials ? { project, credentials: known } : { project };
        const place = `the stack ${displayText(name, 200)}`;
        return runRead(
          () => checkPipelineOutputs(values, place, otherwise, { ...outputNames })[key],
        );
      });
    waitForOutput(output);
    return output;
  };
  const outputs = {};
  defineLazyOutput(outputs, "project", () => read("project"));
  defineLazyOutput(outputs, "credentials", () => pulumi.secret(read("credentials")));
  return outputs as PipelineOutputs;
}
