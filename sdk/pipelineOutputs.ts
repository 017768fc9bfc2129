import * as pulumi from "@pulumi/pulumi";
import { projectFields } from "../provider/model/projectFields.js";
import { recordedPart } from "../provider/model/selectedFields.js";
import type { ProjectWithSecrets } from "../provider/snapshot/records.js";
import type * as parsers from "../provider/wire/pipelineOutputs.js";
import { displayText } from "../provider/errors/displayText.js";
import { argumentInvalid } from "../provider/errors/projectServiceError.js";
import type {
  CodeRepository,
  Database,
  Project,
  SnapshotCredentials,
} from "../provider/model/project.js";
import { ProjectSnapshot } from "./projectSnapshot.js";
import { checkShape, isPending, isPlainObject, withPlace } from "./reading/checkArguments.js";
import { waitForErrors, waitForOutput } from "./reading/inlineProgram.js";
import { plainPromise } from "./reading/pulumiPromises.js";
import { defineLazyOutput } from "./reading/secretCredentials.js";

/**
 * The outputs of a stack from which deploy jobs and other stacks read a project. `C` is false if the
 * project was read without credentials.
 */
export interface PipelineOutputs<C extends boolean = true> {
  /** The project, not secret. Its databases and its repository have no credentials. */
  readonly project: pulumi.Output<Project>;
  /** The credentials, secret. Undefined with `includeCredentials: false`. */
  readonly credentials: pulumi.Output<C extends false ? undefined : SnapshotCredentials>;
}

/** A project whose credentials are secret Outputs, or known values in a secret Output. */
export type ProjectForPipeline = Project<
  CodeRepository & {
    /** The address from which the repository was imported. */
    readonly importRepository: unknown;
  },
  Database & {
    /** Database user. */
    readonly username: pulumi.Input<string>;
    /** Password of the database user. */
    readonly password: pulumi.Input<string>;
  }
>;

/**
 * Makes the two outputs of a stack from which deploy jobs and other stacks read a project: the project
 * in clear, and its credentials as one secret. `readPipelineOutputs` reads them in another stack, and
 * the command `pulumi-project-service env` in a deploy job. schemas/pipeline-outputs.schema.json describes
 * them.
 *
 * Both have the shape of a `ProjectSnapshot`. The project is never secret, even if the project was
 * read with a secret argument. With `includeCredentials: false`, `credentials` is undefined, and
 * Pulumi exports no such output.
 *
 * @param source a `ProjectSnapshot`, the result of `getProject`, or an Output or a Promise of one.
 * @returns `project` and `credentials`. If the project is unknown in a preview, so are both.
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
  waitForErrors();
  if (!isPending(source)) withPlace(new Error(), () => checkSource(source));
  const parts = shallowOutput(source).apply((known) => plainPromise(() => partsOf(known)));
  waitForOutput(parts);
  // If the read fails, a program may handle the errors of both outputs. Pulumi leaves this one to nobody.
  pulumi.isSecret(parts).catch(() => {});
  const plain = pulumi.unsecret(parts);
  return {
    project: plain.apply(({ project }) => project),
    credentials: plain.apply(({ credentials }) => credentials),
  } as PipelineOutputs<boolean>;
}

/** `pulumi.output` would make a whole result secret, because its credentials are. */
function shallowOutput(value: unknown): pulumi.Output<unknown> {
  return pulumi.Output.isInstance(value) ? value : pulumi.output(undefined).apply(() => value);
}

interface Parts {
  readonly project: pulumi.Input<Project>;
  readonly credentials: pulumi.Output<unknown> | undefined;
}

async function partsOf(source: unknown): Promise<Parts> {
  checkSource(source);
  if (ProjectSnapshot.isInstance(source)) {
    const keys = Object.keys(projectFields) as (keyof Project)[];
    const fields = keys.map((key) => [key, source[key]]);
    const credentials: pulumi.Output<unknown> = pulumi.unsecret(source.credentials);
    return {
      project: pulumi.unsecret(pulumi.output(Object.fromEntries(fields)) as pulumi.Output<Project>),
      // A secret without a value would be exported as an output without a value.
      credentials: credentials.apply((value) =>
        value === undefined ? undefined : pulumi.secret(value),
      ),
    };
  }
  const { credentialsOf } = await import("../provider/snapshot/records.js");
  const project = source as ProjectWithSecrets;
  return {
    project: recordedPart(project) as Project,
    credentials: hasCredentials(project) ? pulumi.secret(credentialsOf(project)) : undefined,
  };
}

/** Whether a project was read with credentials. A project that can have none counts as such. */
function hasCredentials({ codeRepository, environments }: Project): boolean {
  const databases = environments.flatMap(({ databases }) => databases);
  if (databases.length > 0) return databases.every((database) => "username" in database);
  return codeRepository === undefined || "importRepository" in codeRepository;
}

function checkSource(source: unknown): void {
  if (ProjectSnapshot.isInstance(source)) return;
  if (isPlainObject(source) && Array.isArray(source["environments"])) return;
  throw argumentInvalid(
    "pipelineOutputs needs a ProjectSnapshot or the result of getProject, which is a project with its environments.",
  );
}

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
  const { project = "project", credentials = "credentials" } = outputNames;
  withPlace(new Error(), () => {
    // A method of any copy of the SDK.
    if (typeof (stack as Partial<pulumi.StackReference> | undefined)?.getOutput !== "function") {
      throw argumentInvalid(
        "readPipelineOutputs needs a stack reference. To read a stack by its name, pass new pulumi.StackReference(name).",
      );
    }
    const caller = { name: "readPipelineOutputs", takesOutputs: false };
    checkShape(caller, "isPipelineOutputNames", outputNames, "The names");
  });
  const outputs = {};
  const names = { project, credentials };
  defineLazyOutput(outputs, "project", projectOutput, { stack, names });
  defineLazyOutput(outputs, "credentials", credentialsOutput, { stack, names });
  return outputs as PipelineOutputs;
}

/** The outputs of a stack. */
interface Source {
  readonly stack: pulumi.StackReference;
  readonly names: Readonly<Record<"project" | "credentials", string>>;
}

function projectOutput(_key: string, source: Source): pulumi.Output<Project> {
  return readOutputs(source, ["project"], ({ projectOfOutput }, [project]) =>
    projectOfOutput(project as parsers.StackOutput),
  );
}

/** Also reads the project, because the credentials must belong to it. */
function credentialsOutput(_key: string, source: Source): pulumi.Output<unknown> {
  const credentials = readOutputs(
    source,
    ["credentials", "project"],
    ({ credentialsOfOutput }, [credentials, project]) =>
      credentialsOfOutput(credentials as parsers.StackOutput, project as parsers.StackOutput),
  );
  return pulumi.secret(credentials);
}

/** Returns what `parse` makes from outputs of the stack, as secret as they are there. */
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
      plainPromise(async () => {
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
