import { displayText } from "../provider/errors/displayText.js";
import { ProjectServiceError } from "../provider/errors/projectServiceError.js";
import { descriptorOf, existingFile } from "./filePath.js";

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
  const earlier = earlierReports(outputs);
  try {
    return await task();
  } catch (error) {
    if (!(error instanceof ProjectServiceError)) throw error;
    const sentences = [...earlier].flatMap(([file, writtenAt]) =>
      existingFile(file)?.mtime.toISOString() === writtenAt
        ? [
            `${displayText(file, 1000)} still contains the report of ${run}, written at ${writtenAt}.`,
          ]
        : [],
    );
    if (sentences.length === 0) throw error;
    throw new ProjectServiceError(error.code, [error.message, ...sentences].join("\n"));
  }
}

/** Returns the time of the last change of each file that contains something, by its name. */
function earlierReports(outputs: readonly { readonly file: string }[]): Map<string, string> {
  return new Map(
    outputs.flatMap(({ file }) => {
      const existing = existingFile(file);
      // GitHub creates the file of a summary before the step starts.
      if (existing?.isFile() !== true || existing.size === 0) return [];
      if (descriptorOf(file) !== undefined) return [];
      return [[file, existing.mtime.toISOString()] as const];
    }),
  );
}
