/* What the dynamic provider prints, in the words of both resources. */
import { displayList, displayShare, displayText } from "../errors/displayText.js";
import { ProjectServiceError } from "../errors/projectServiceError.js";
import { withOpenText } from "../errors/withoutArguments.js";
import { UnprovenAbsenceError } from "../reading/absence.js";
import { projectsSnapshotId } from "./resources.js";

/** The engine shows what a provider writes to standard error. */
export function warn(id: string, sentence: string): void {
  console.error(`warning: ${subjectOf(id)}: ${sentence}`);
}

function subjectOf(id: string): string {
  return id === projectsSnapshotId ? "ProjectsSnapshot" : `project ${displayText(id)}`;
}

/** More projects leave the record than the limit allows. */
export class TooManyRemovalsError extends ProjectServiceError {}

/**
 * Returns the error about many projects that leave a record at once.
 *
 * @param leaving the projects, each with the reason.
 */
export function tooManyRemovals(
  leaving: readonly string[],
  recorded: number,
  haveFiltersChanged: boolean,
): TooManyRemovalsError {
  const first = haveFiltersChanged ? "The filters have changed. " : "";
  const text = (named: string) =>
    `${first}${displayShare(leaving.length, recorded, "recorded project")} would leave the record at once${named}. Check the filters, the user and the service. If this is right, pass maxRemovals: ${leaving.length} to the ProjectsSnapshot, and run pulumi up --refresh=false, because a refresh uses the recorded number. Pulumi then deletes what the program made for them.`;
  const error = new TooManyRemovalsError("LIST_INCOMPLETE", text(`: ${displayList(leaving)}`));
  return withOpenText(error, text(""));
}

/** Says what is certain, if the provider has refused a new record. */
export function certainText(error: ProjectServiceError): string[] {
  if (!(error instanceof UnprovenAbsenceError || error instanceof TooManyRemovalsError)) return [];
  return [
    "The record is unchanged, so nothing was deleted because of it. Resources that were updated earlier in the same run stay updated.",
  ];
}

const anotherProcess =
  "The provider is another process than the program: it has the stack config and the variables of the pulumi command, but no variables that the program sets.";

/** Says how to go on, and last how to record without proof. */
export function wayOut(error: ProjectServiceError, id: string, isRefresh: boolean): string[] {
  const isSettings = error.code === "SETTINGS_INVALID";
  const advice = isSettings ? [anotherProcess] : [];
  if (!(error instanceof UnprovenAbsenceError)) return advice;
  if (isSettings && isRefresh) {
    advice.push("If the user has changed, run pulumi up --refresh=false first.");
  }
  const type = id === projectsSnapshotId ? "ProjectsSnapshot" : "ProjectSnapshot";
  advice.push(
    `To record what the service shows now anyway, run pulumi up --refresh=false --replace '**${type}::<name>'. Pulumi then deletes what the program made for everything that is missing.`,
  );
  return advice;
}

/** Pulumi gives a provider the config that it keeps in the state. */
const ofState =
  "A refresh uses the stack config in the state, usually that of the last pulumi up. If it has changed since, run pulumi up --refresh=false, or pulumi refresh --run-program if baseUrl is the same.";

/**
 * Returns an error of a refresh. Pulumi prints one of a dynamic provider as `${error}: ${error.stack}`, followed by its
 * message.
 *
 * @param warnings about the settings, which may explain the error.
 */
export function refreshError(
  error: ProjectServiceError,
  id: string,
  warnings: readonly string[],
): Error {
  const { code, message } = error;
  const parts = [...certainText(error), message, ...warnings];
  if (code !== "LIST_INCOMPLETE") parts.push(ofState);
  parts.push("pulumi destroy --refresh=false does not read the service.");
  const text = [...parts, ...wayOut(error, id, true)].join(message.includes("\n") ? "\n" : " ");
  return Object.assign(new Error(text), { stack: subjectOf(id), toString: () => code });
}
