/* Fields that the service omits are `undefined`, even where Pulumi would turn it into something else. */
import * as pulumi from "@pulumi/pulumi";

/**
 * Returns a field of a result, as an input of a resource. The field is as secret as the result, but not
 * if it is `undefined`: the engine would record a secret without a value, which no refresh returns.
 */
export function inputOf<T, R>(
  result: pulumi.Output<T>,
  select: (value: T) => R,
): pulumi.Output<unknown> {
  return pulumi.unsecret(result).apply(async (value) => {
    const field = select(value);
    return field !== undefined && (await pulumi.isSecret(result)) ? pulumi.secret(field) : field;
  });
}

/**
 * Makes outputs without a value `undefined` in a preview.
 *
 * The SDK treats an output as unknown if the engine sends no value for it. The engine sends all values
 * at once, so if the service was read, an output without a value is `undefined`.
 *
 * @param known an input that is known if the service was read.
 */
export function resolveMissingOutputs(
  resource: pulumi.CustomResource,
  keys: readonly string[],
  known: unknown,
): void {
  if (!pulumi.runtime.isDryRun()) return;
  const isRead = pulumi.all([known, resource.urn]);
  const outputs = resource as unknown as Record<string, MaybeKnown>;
  for (const key of keys) {
    const output = outputs[key] as MaybeKnown;
    outputs[key] = isRead.apply(async () =>
      (await output.isKnown) ? output : undefined,
    ) as MaybeKnown;
  }
}

/** The types of the SDK do not contain `isKnown`. */
type MaybeKnown = pulumi.Output<unknown> & { readonly isKnown: Promise<boolean> };
