/* What the dynamic provider prints, in the words of both resources. */
import { displayText } from "../errors/displayText.js";
import type { ProjectServiceError } from "../errors/projectServiceError.js";
import { UnprovenAbsenceError } from "../service/missingProjects.js";
import { unknownValue } from "../wire/pulumiSafeJson.js";
import { projectsSnapshotId } from "./resources.js";

export function warnOfOtherService(
  id: string,
  recorded = unknownValue,
  named = unknownValue,
): void {
  if (recorded === named || [recorded, named].includes(unknownValue)) return;
  warn(
    id,
    `recorded from the service at ${displayText(recorded, 200)}, now read from ${displayText(named, 200)}. If this is a mistake, check baseUrl and connection.`,
  );
}

/** The engine shows what a provider writes to standard error. */
export function warn(id: string, sentence: string): void {
  console.error(`warning: ${subjectOf(id)}: ${sentence}`);
}

function subjectOf(id: string): string {
  return id === projectsSnapshotId ? "ProjectsSnapshot" : `project ${displayText(id)}`;
}

/**
 * Says what became of the record if proof is missing, and how to record without it.
 *
 * @param canReplace whether the program can make a ProjectSnapshot anew. It cannot if it cannot read the project either.
 */
export function wayOut(error: ProjectServiceError, id: string, canReplace = false): string[] {
  if (!(error instanceof UnprovenAbsenceError)) return [];
  const unchanged = "The record is unchanged.";
  const isFleet = id === projectsSnapshotId;
  if (!isFleet && !canReplace) return [unchanged];
  const type = isFleet ? "ProjectsSnapshot" : "ProjectSnapshot";
  return [
    unchanged,
    "Pulumi deletes what the program made for projects that leave the record.",
    `To record what the service shows now anyway, run pulumi up --refresh=false --replace '**${type}::<name>'`,
  ];
}

/** Pulumi gives a provider the config that it keeps in the state. */
const advice =
  "A refresh uses the stack config in the state, usually that of the last pulumi up. If it has changed since, run pulumi up --refresh=false, or pulumi refresh --run-program if baseUrl is the same.";

/**
 * Pulumi prints an error of a dynamic provider as `${error}: ${error.stack}`, followed by its message.
 *
 * @param warnings about the settings, which may explain the error.
 */
export function printable(
  error: ProjectServiceError,
  id: string,
  warnings: readonly string[],
): Error {
  const { code, message } = error;
  const parts = [message, ...warnings];
  if (code !== "LIST_INCOMPLETE") parts.push(advice);
  parts.push("pulumi destroy --refresh=false does not read the service.", ...wayOut(error, id));
  const text = parts.join(message.includes("\n") ? "\n" : " ");
  return Object.assign(new Error(text), { stack: subjectOf(id), toString: () => code });
}
