/*
 * Constants of Pulumi's protocol, which no export of its SDK has.
 * Source: sdk/nodejs/runtime/rpc.ts of pulumi/pulumi.
 */

/** The key with which Pulumi marks its own values in plain JSON: secrets, assets, references. */
export const signatureKey = "4dabf18193072939515e22adb298388d";

/** The value of {@link signatureKey} that marks a secret. */
export const secretSignature = "1b47061264138c4ac30d75fd1eb44270";

/** The text that stands for a value that is not known yet. */
export const unknownValue = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** Whether Pulumi would give an object property with this key another meaning. */
export function isReservedKey(key: string): boolean {
  return key === signatureKey || key === "__proto__" || key.startsWith("__pulumi");
}
