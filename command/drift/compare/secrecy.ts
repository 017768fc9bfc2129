import { hiddenSecret } from "../../env/stackOutputs.js";
import { textOf } from "../preview.js";
import type { ComparedSnapshot, DriftChange } from "./snapshotChanges.js";

/** Whether Pulumi hides an input before the update, after it, always or never. */
export function secrecyOf(
  { before, after }: ComparedSnapshot,
  key: string,
): "before" | "after" | "always" | "never" {
  const [one, other] = [before, after].map((inputs) => textOf(inputs.get(key)) === hiddenSecret);
  if (one) return other ? "always" : "before";
  return other ? "after" : "never";
}

/** Returns a change without values for each input that Pulumi always hides and that changes. */
export function hiddenChanges(snapshot: ComparedSnapshot, keys: readonly string[]): DriftChange[] {
  return keys
    .filter((key) => secrecyOf(snapshot, key) === "always" && snapshot.changed.has(key))
    .map((field) => ({ field, change: "changed" }));
}

/**
 * Whether credentials change that are recorded before and after. Their values are never read: Pulumi says
 * whether they change.
 */
export function credentialsChange({ before, after, changed }: ComparedSnapshot): boolean {
  return before.has("credentials") && after.has("credentials") && changed.has("credentials");
}
