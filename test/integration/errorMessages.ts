import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { displayCount } from "../../provider/errors/displayText.js";
import { ProjectServiceError } from "../../sdk/index.js";
import { assertGoldenText } from "../support/goldenFile.js";
import { repository } from "../support/paths.js";
import { settled } from "../support/settled.js";

const golden = "test/integration/messages.txt";

/** What causes an error, and its name. */
export type Case = readonly [name: string, cause: () => unknown];

/** What came of a case. */
export interface Outcome {
  readonly name: string;
  /** An error, or anything else if the call succeeded. */
  readonly result: unknown;
  /** The number of requests that met the fault. */
  readonly requests?: number | undefined;
}

/** Compares the errors of some cases with messages.txt. None may contain "c4nary"; in names, "…" stands for that. */
export async function assertMessages(section: string, cases: readonly Case[]): Promise<void> {
  const outcomes: Outcome[] = [];
  for (const [name, cause] of cases) {
    const error = await errorOf(cause);
    assert.doesNotMatch(JSON.stringify(error) + String(error), /c4nary/, name);
    outcomes.push({ name: name.replaceAll("c4nary", "…"), result: error });
  }
  assertOutcomes(section, outcomes);
}

/**
 * Compares outcomes with a section of messages.txt: each message once, below the cases that have it. With
 * `UPDATE_GOLDEN=1` in the environment, writes the section instead.
 */
export function assertOutcomes(section: string, outcomes: readonly Outcome[]): void {
  const byMessage = new Map<string, string[]>();
  for (const { name, result, requests } of outcomes) {
    const isError = result instanceof ProjectServiceError;
    assert.ok(isError || !(result instanceof Error), `${name}: ${String(result)}`);
    const { code, status } = isError ? result : { code: "success", status: undefined };
    const sent = requests === undefined ? undefined : displayCount(requests, "request");
    const end = [code, status, sent].filter((part) => part !== undefined).join(", ");
    const message = isError ? reasonOf(result) : "";
    const line = `# ${name}: ${end}`;
    byMessage.set(message, [...(byMessage.get(message) ?? []), line]);
  }
  const blocks = [...byMessage].map(([message, lines]) => [...lines, message].join("\n").trim());
  const own = `## ${section}\n\n${blocks.join("\n\n")}\n\n`;
  const whole = readFileSync(join(repository, golden), "utf8");
  const parts = whole.split(/(?=^## )/m);
  const others = parts.map((part) => (part.startsWith(`## ${section}\n`) ? own : part));
  assertGoldenText(golden, (others.includes(own) ? others : [...others, own]).join(""));
}

/** Returns the message without what differs between two runs, and without the operation and the address. */
function reasonOf({ message, url = "", projectId }: ProjectServiceError): string {
  const operation = url.endsWith("/token")
    ? "Signing in to the Project Service"
    : url.endsWith("/projects")
      ? "Listing the projects"
      : `Reading project ${projectId}`;
  return message
    .replace(`${operation} failed: `, "")
    .replace(` (URL: ${url})`, "")
    .replace(/(127\.0\.0\.1|localhost|\[::1\]):\d+/g, "$1:<port>")
    .replace(/(Known \w+: \w+), .* and \d+ more\./g, "$1, ….") // names of fields
    .replace(/ \(\w+\.test\.js:\d+\)$/, "") // the place of the call
    .replace("EAI_AGAIN", "ENOTFOUND"); // without a name server
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
