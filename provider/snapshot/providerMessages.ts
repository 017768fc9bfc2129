/* What the dynamic provider prints, in the words of both resources. */
import { displayText } from "../errors/displayText.js";
import {
  ProjectServiceError,
  type ProjectServiceErrorCode,
} from "../errors/projectServiceError.js";
import { projectsSnapshotId } from "./resources.js";

/** The engine shows what a provider writes to standard error. */
export function warn(id: string, sentence: string): void {
  console.error(`warning: ${subjectOf(id)}: ${sentence}`);
}

function subjectOf(id: string): string {
  return id === projectsSnapshotId ? "ProjectsSnapshot" : `project ${displayText(id)}`;
}

/** What is certain after every error of the provider. */
export const certain =
  "The record is unchanged, so nothing was deleted because of it. Resources that were updated earlier in the same run stay updated.";

/**
 * Returns the error about a new record that is refused.
 *
 * @param command how to record it anyway, to follow "If this is right,".
 * @param deleted the reason for which Pulumi then deletes resources, to follow "made for".
 */
export function refusedRecord(
  code: ProjectServiceErrorCode,
  reason: string,
  command: string,
  deleted: string,
): ProjectServiceError {
  const message = `${reason} If this is right, ${command}. Pulumi then deletes what the program made for ${deleted}.`;
  return new ProjectServiceError(code, message);
}

/** Says where the provider has its settings from, which can differ from those of the program. */
export function settingsAdvice({ code }: ProjectServiceError): string[] {
  return code === "SETTINGS_INVALID"
    ? [
        "The provider is another process than the program: it has the stack config and the variables of the pulumi command (envVars of the Automation API), but no other variables of the program.",
      ]
    : [];
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
  const parts = [certain, message, ...warnings, ...settingsAdvice(error)];
  if (code !== "LIST_INCOMPLETE") parts.push(ofState);
  parts.push("pulumi destroy --refresh=false does not read the service.");
  const text = parts.join(message.includes("\n") ? "\n" : " ");
  return Object.assign(new Error(text), { stack: subjectOf(id), toString: () => code });
}
