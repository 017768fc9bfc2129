import { displayText } from "../provider/errors/displayText.js";
import { ProjectServiceError } from "../provider/errors/projectServiceError.js";
import { existingFile, isStandardOutput } from "./filePath.js";
import { isStepSummary } from "./writeFiles.js";

/**
 * Runs a task that writes reports. If it fails, the error also says which files still contain the
 * reports of an earlier run.
 *
 * @param run what wrote these reports, for instance `an earlier audit`.
 */
export async function mentioningEarlierReports<T>(
  outputs: readonly { readonly file: string }[],
  run: string,
  task: () => Promise<T>,
): Promise<T> {
  const startMs = Date.now();
  try {
    return await task();
  } catch (error) {
    if (!(error instanceof ProjectServiceError)) throw error;
    const sentences = outputs.flatMap(({ file }) => {
      const existing =
        isStandardOutput(file) || isStepSummary(file) ? undefined : existingFile(file);
      if (existing?.isFile() !== true || existing.size === 0 || existing.mtimeMs >= startMs)
        return [];
      const writtenAt = existing.mtime.toISOString();
      return [
        `${displayText(file, 1000)} still contains the report of ${run}, written at ${writtenAt}.`,
      ];
    });
    if (sentences.length === 0) throw error;
    throw new ProjectServiceError(error.code, [error.message, ...sentences].join("\n"));
  }
}
