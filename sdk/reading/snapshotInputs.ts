/*
 * What both resources send to the engine. Fields that the service omits are `undefined`, even where Pulumi would
 * turn it into something else.
 */
import * as pulumi from "@pulumi/pulumi";
import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import { fieldsVersion } from "../../provider/model/projectFields.js";
import { defaultNamespace } from "../../provider/settings/findSettings.js";
import { checkNamespace, refuseConnection, withPlace } from "./checkArguments.js";
import { type ReadFunction, readOutput } from "./runRead.js";

/** Arguments that both resources have. */
interface SnapshotArgs {
  readonly includeCredentials?: boolean | undefined;
  readonly connection?: string | undefined;
}

/**
 * Reads the projects of a resource. Returns its inputs.
 *
 * @param keys the properties of the result that become inputs.
 */
export function snapshotInputs<A extends object, R>(
  { name, check, read }: ReadFunction<A, R>,
  { connection, ...args }: SnapshotArgs,
  opts: pulumi.CustomResourceOptions,
  keys: readonly (keyof R & string)[],
): pulumi.Inputs {
  withPlace(new Error(), () => {
    check({ name, takesOutputs: true }, args);
    checkNamespace(name, connection);
    refuseConnection(name, opts, "arguments");
    const option = (["import", "id"] as const).find((key) => opts[key] !== undefined);
    if (option === undefined) return;
    throw argumentInvalid(
      `${name} does not support ${option}. Remove the option ${option}: a snapshot always records what exists, and does not change it.`,
    );
  });
  const recorded = readOutput({ name, outputName: name, check, read }, args, {
    connection,
    dependsOn: opts.dependsOn as pulumi.Input<pulumi.CustomResource>,
  });
  return {
    ...Object.fromEntries(keys.map((key) => [key, inputOf(recorded, (all) => all[key])])),
    includeCredentials: args.includeCredentials === true,
    fieldsVersion,
    connection: connection === defaultNamespace ? undefined : connection,
  };
}

/**
 * Returns a field of a result, as an input of a resource. The field is as secret as the result, but not
 * if it is `undefined`: the engine would record a secret without a value, which no refresh returns.
 */
function inputOf<T, R>(result: pulumi.Output<T>, select: (value: T) => R): pulumi.Output<unknown> {
  return pulumi.unsecret(result).apply(async (value) => {
    const field = select(value);
    return field !== undefined && (await pulumi.isSecret(result)) ? pulumi.secret(field) : field;
  });
}

/**
 * Makes outputs without a value `undefined` in a preview, if the service was read.
 *
 * The SDK treats an output as unknown if the engine sends no value for it. The engine sends all values at once, and
 * a record always has `service`. Without it, the engine left the resource out, for instance because of `--target`.
 */
export function resolveMissingOutputs(
  resource: pulumi.CustomResource & { readonly service: pulumi.Output<string> },
  keys: readonly string[],
): void {
  if (!pulumi.runtime.isDryRun()) return;
  const { service } = resource;
  const outputs = resource as unknown as Record<string, MaybeKnown>;
  for (const key of keys) {
    const output = outputs[key] as MaybeKnown;
    outputs[key] = service.apply(async () =>
      (await output.isKnown) ? output : undefined,
    ) as MaybeKnown;
  }
}

/** The types of the SDK do not contain `isKnown`. */
type MaybeKnown = pulumi.Output<unknown> & { readonly isKnown: Promise<boolean> };
