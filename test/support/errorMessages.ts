import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { assertGolden, type ErrorCase } from "./goldenFile.js";
import { settled } from "./settled.js";

/** What causes an error, and its name. */
export type Case = readonly [name: string, cause: () => unknown];

/**
 * Compares the errors of some cases with a file in messages/, which has the message of each. An error may not
 * contain "c4nary". In the names of cases, "…" stands for that.
 */
export async function assertMessages(file: string, cases: readonly Case[]): Promise<void> {
  const errors: ErrorCase[] = [];
  for (const [name, cause] of cases) {
    const error = await errorOf(cause);
    assert.doesNotMatch(JSON.stringify(error) + String(error), /c4nary/, name);
    errors.push({ name: name.replaceAll("c4nary", "…"), error });
  }
  assertGolden(`test/integration/messages/${file}.txt`, errors);
}

async function errorOf(cause: () => unknown): Promise<unknown> {
  try {
    const result = await cause();
    if (pulumi.Output.isInstance(result)) await settled(result);
  } catch (error) {
    return error;
  }
  assert.fail(`${String(cause)}: it succeeded`);
}

/** Returns calls with their text as names. */
export function callsOf(calls: readonly (() => unknown)[]): Case[] {
  return calls.map((call) => {
    const text = String(call).replace(/^\(\) => /, "");
    // As it would stand on one line.
    const name = text
      .replace(/\n\s*/g, " ")
      .replace(/,(?= [}\])])/g, "")
      .replace(/([([]) | (?=[)\]])/g, "$1");
    return [name, call];
  });
}
