import type * as pulumi from "@pulumi/pulumi";

/**
 * Defines a property whose Output is created when the property is first read.
 *
 * @param create makes the Output of the property's key and `value`.
 */
export function defineLazyOutput<V>(
  object: object,
  key: string,
  create: (key: string, value: V) => pulumi.Output<unknown>,
  value: V,
): void {
  let output: pulumi.Output<unknown> | undefined;
  const get: OutputGetter = () => (output ??= create(key, value));
  get.captureReplacement = captureReplacement;
  descriptor.get = get;
  Object.defineProperty(object, key, descriptor);
}

interface OutputGetter {
  (): pulumi.Output<unknown>;
  captureReplacement?: typeof captureReplacement;
}

/** One object for all properties: with thousands of credentials, an object for each is measurable. */
const descriptor: PropertyDescriptor = { enumerable: true, configurable: true };

/**
 * Returns what Pulumi serializes instead of a getter.
 *
 * Pulumi serializes a closure together with the getters of the objects that it captures, and with
 * the plain values that those getters capture. This replacement captures the Output instead. Pulumi
 * then knows that the text contains a secret, and encrypts it.
 */
function captureReplacement(this: OutputGetter): () => pulumi.Output<unknown> {
  const output = this();
  return () => output;
}
