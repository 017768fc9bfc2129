import { InvalidResponseError } from "../errors/requestFailure.js";

/*
 * Constants of Pulumi's protocol, which no export of its SDK has. Their source:
 * https://github.com/pulumi/pulumi/blob/master/sdk/nodejs/runtime/rpc.ts
 */

/** The key with which Pulumi marks its own values in plain JSON: secrets, assets, references. */
export const signatureKey = "4dabf18193072939515e22adb298388d";

/** The value of {@link signatureKey} that marks a secret. */
export const secretSignature = "1b47061264138c4ac30d75fd1eb44270";

/** The text that stands for a value that is not known yet. */
export const unknownValue = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/**
 * Returns a value of the service unchanged, if Pulumi carries it unchanged.
 *
 * Pulumi would turn some values into something else: a local file, an Output, an unknown, another
 * prototype, another text or number. Some unpaired surrogates end the program.
 */
export function pulumiSafeJson(value: unknown, place: string): unknown {
  if (value === unknownValue)
    throw new InvalidResponseError(`${place} contains a text that Pulumi reserves`);
  if (typeof value === "string") checkWellFormed(value, place);
  // JSON.parse turns 1e999 into Infinity, which is not JSON, and rounds other large integers.
  if (typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER) {
    throw new InvalidResponseError(`${place} is too large a number`);
  }
  if (typeof value !== "object" || value === null) return value;
  for (const [key, member] of Object.entries(value)) {
    checkPulumiSafeKey(key, place);
    pulumiSafeJson(member, place);
  }
  return value;
}

/** Refuses text that cannot be a key of an object that Pulumi carries. */
export function checkPulumiSafeKey(key: string, place: string): void {
  if (key === signatureKey || key === "__proto__" || key.startsWith("__pulumi")) {
    throw new InvalidResponseError(`${place} has a key that Pulumi or JavaScript reserves`);
  }
  checkWellFormed(key, place);
}

/** With the flag `u`, a surrogate in a pair is part of one character. `isWellFormed` takes four times as long in Node 20. */
const unpairedSurrogate = /\p{Surrogate}/u;

function checkWellFormed(text: string, place: string): void {
  if (unpairedSurrogate.test(text)) {
    throw new InvalidResponseError(`${place} has an unpaired surrogate`);
  }
}
