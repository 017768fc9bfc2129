import * as pulumi from "@pulumi/pulumi";
import { argumentInvalid, withoutDetails } from "../../provider/errors/projectServiceError.js";
import {
  type CredentialMapper,
  missingCredential,
  withoutCredentials,
} from "../../provider/wire/credentials.js";
import type { OutputPromises } from "./inlineProgram.js";
import { callOf, errorOfProgram } from "./programErrors.js";
import { runRead } from "./runRead.js";

/**
 * Makes each credential a secret Output of its own, so that the fields beside it stay plain. If the response lacks one,
 * its Output rejects. A secret Output costs time and memory, so it is created when a program first reads the property.
 *
 * @param hidesNames whether errors must not contain names of the service.
 */
export function credentialMapper(
  includeCredentials: boolean,
  hidesNames: boolean,
): CredentialMapper {
  if (!includeCredentials) return withoutCredentials;
  const missing = (key: string, owner: object) => {
    const error = missingCredential(key, owner);
    return rejectedOutput(key, hidesNames ? withoutDetails(`Reading ${key}`, error) : error);
  };
  return (object, key, value) => {
    if (value === null) (object as Record<string, unknown>)[key] = null;
    else if (value === undefined || (value === "" && key !== "importRepository"))
      defineLazyOutput(object, key, () => missing(key, object));
    else defineLazyOutput(object, key, () => withoutText(key, pulumi.secret(value)));
  };
}

/**
 * Creates a secret Output that rejects. A program that does not use it must not fail, and Pulumi itself
 * reads every property of a result, so nobody may have to handle the rejection of this Output. The
 * Outputs that a program derives from it reject as usual.
 */
function rejectedOutput(name: string, error: Error): pulumi.Output<unknown> {
  // `pulumi.secret` of a promise would leave a promise of its own unhandled.
  const output = pulumi
    .secret(undefined)
    .apply(() => runRead(() => Promise.reject<unknown>(error)));
  const { isKnown, isSecret } = output as OutputPromises;
  isKnown.catch(() => {});
  isSecret.catch(() => {});
  return withoutText(name, output);
}

/**
 * Makes an Output throw when a program converts it to text, to a number or to bytes. Pulumi would return a sentence of
 * advice as the text, which `pulumi up` would store in place of the value, and no bytes.
 *
 * @param name what the program calls the value. The error contains it.
 */
export function withoutText<T>(name: string, output: pulumi.Output<T>): pulumi.Output<T> {
  const refuse = (): never => {
    const advice = `${name} is a secret Output and cannot be converted to text or bytes here. Use pulumi.interpolate\`…\${${name}}…\` for a text, pulumi.jsonStringify for JSON, or ${name}.apply(value => …) for anything else, such as Base64 or a comparison. databaseUrl makes the URL of a database.`;
    const error = errorOfProgram(argumentInvalid(advice), callOf(refuse)) as Error;
    // Pulumi converts each list among the inputs of a resource to text, for debugging, and catches only this mark.
    throw Object.defineProperty(error, "__pulumiOutputToStringError", { value: true });
  };
  return Object.assign(output, {
    toString: refuse, // for texts, numbers and comparisons
    toJSON: refuse, // for JSON.stringify
    valueOf: refuse, // for Buffer.from
    // For `new Uint8Array`, `Array.from` and `new URLSearchParams`, which otherwise read the Output's own fields.
    [Symbol.iterator]: refuse,
  });
}

/**
 * Defines a property whose Output is created when the property is first read. Pulumi serializes a closure together with
 * the getters of the objects that it captures, and the plain values in them. The replacement captures the Output
 * instead, so that Pulumi knows that the text contains a secret, and encrypts it.
 */
export function defineLazyOutput(
  object: object,
  key: string,
  create: () => pulumi.Output<unknown>,
): void {
  let output: pulumi.Output<unknown> | undefined;
  const get = () => (output ??= create());
  get.captureReplacement = () => {
    const captured = get();
    return () => captured;
  };
  Object.defineProperty(object, key, { get, enumerable: true, configurable: true });
}
