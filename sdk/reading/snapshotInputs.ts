/*
 * What both resources send to the engine. Fields that the service omits are `undefined`, even where Pulumi would
 * turn it into something else.
 */
import * as pulumi from "@pulumi/pulumi";
import { displayText } from "../../provider/errors/displayText.js";
import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import { fieldsVersion } from "../../provider/model/projectFields.js";
import { defaultNamespace } from "../../provider/settings/foundSettings.js";
import { isRefusedPath } from "../../provider/snapshot/resources.js";
import type { OutputPromises } from "./inlineProgram.js";
import { type Call, checkCall } from "./programErrors.js";
import type { SnapshotArgs } from "./publicTypes.js";
import { type ReadFunction, readOutput, runRead } from "./runRead.js";
import { defineLazyOutput } from "./secretCredentials.js";

/** A function that reads what a resource records. Its name is the one of the resource. */
export interface Recording<A extends object, R> extends ReadFunction<A, R> {
  readonly name: "ProjectSnapshot" | "ProjectsSnapshot";
  /** The properties of the result that become inputs. */
  readonly keys: readonly (keyof R & string)[];
}

const cannotImport = "A snapshot cannot be imported";
const forgets = "A snapshot that is replaced forgets missing projects";
const refusedOptions = {
  import: cannotImport,
  id: cannotImport,
  connection: "Pass connection in the arguments",
  replaceOnChanges: forgets,
  replacementTrigger: forgets,
  replaceWith: forgets,
};

const ignorable = {
  ProjectSnapshot: "credentials",
  ProjectsSnapshot: "credentials, projects, whole projects and whole environments",
};

/** Reads the projects of a resource. Returns its inputs, and the result of the read. */
export function snapshotInputs<A extends object, R>(
  call: Call,
  recording: Recording<A, R>,
  args: SnapshotArgs<boolean, unknown>,
  opts: pulumi.CustomResourceOptions | null,
): { inputs: pulumi.Inputs; recorded: pulumi.Output<R> } {
  const { name, check, keys } = recording;
  checkCall(call, () => {
    check({ name, takesOutputs: true }, args);
    for (const [option, advice] of Object.entries(refusedOptions)) {
      if (opts?.[option as never] === undefined) continue;
      throw argumentInvalid(`${name} does not support the option ${option}. ${advice}.`);
    }
    const path = opts?.ignoreChanges?.find((each) => isRefusedPath(name, each));
    if (path === undefined) return;
    throw argumentInvalid(
      `ignoreChanges of ${name} cannot contain ${displayText(path, 200)}, only ${ignorable[name]}. To leave out a field, pass the others in fields: […].`,
    );
  });
  const { connection, includeCredentials = false } = args;
  const options = { connection, dependsOn: opts?.dependsOn };
  const recorded = readOutput<A, R>(call, recording, args, options, name);
  const inputs = {
    ...Object.fromEntries(keys.map((key) => [key, inputOf(recorded, key)])),
    includeCredentials,
    fieldsVersion,
    // The provider gets all arguments decrypted.
    hasSecretArguments: pulumi
      .unsecret(recorded)
      .apply(async () => (await pulumi.isSecret(recorded)) || undefined),
    connection: connection === defaultNamespace ? undefined : connection,
  };
  return { inputs, recorded };
}

/**
 * Returns a field of a result, as an input of a resource. `credentials` are secret, and any other field is as secret
 * as the result. `undefined` is not: the engine would record a secret without a value, which no refresh returns.
 */
function inputOf<R>(result: pulumi.Output<R>, key: keyof R): pulumi.Output<unknown> {
  return pulumi.unsecret(result).apply(async (value) => {
    const field = value[key as never];
    if (field === undefined) return undefined;
    const isSecret = key === "credentials" || (await pulumi.isSecret(result));
    return isSecret ? pulumi.secret(field) : field;
  });
}

/**
 * Makes outputs reject if the read fails: an inline program that returns one would otherwise wait forever. Makes outputs
 * without a value `undefined` in a preview, if the service was read.
 *
 * The SDK treats an output as unknown if the engine sends no value for it. The engine sends all values at once, and
 * a record always has `service`. Without it, the engine left the resource out, for instance because of `--target`.
 *
 * @param recorded the result of the read.
 * @param parsers make the values of some outputs.
 */
export function resolveOutputs(
  resource: pulumi.CustomResource & { readonly service: pulumi.Output<string> },
  keys: readonly string[],
  recorded: pulumi.Output<unknown>,
  parsers: Readonly<Record<string, (value: unknown) => unknown>> = {},
): void {
  const { service } = resource;
  const isPreview = pulumi.runtime.isDryRun();
  const outputs = resource as unknown as Record<string, pulumi.Output<unknown>>;
  for (const key of keys) {
    const output = outputs[key] as OutputPromises;
    const resolved = isPreview
      ? service.apply(async () => ((await output.isKnown) ? output : undefined))
      : output;
    const parse = parsers[key];
    defineLazyOutput(outputs, key, () => {
      const value = pulumi.unsecret(recorded).apply(() => resolved);
      return parse ? value.apply((text) => runRead(() => parse(text))) : value;
    });
  }
}

/** Whether an object is a resource of a type, made by any copy of this package. */
export function isResource(value: unknown, type: string): boolean {
  const isCustom = pulumi.CustomResource.isInstance(value);
  return isCustom && (value as { __pulumiType?: unknown }).__pulumiType === type;
}
