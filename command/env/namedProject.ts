import { didYouMean, displayList, displayText } from "../../provider/errors/displayText.js";
import { ProjectServiceError } from "../../provider/errors/projectServiceError.js";
import { keepCredentials, withoutCredentials } from "../../provider/wire/credentials.js";
import type { Project } from "../../provider/model/project.js";
import type { OptionValues } from "../commandLine.js";
import {
  commandSettings,
  serviceWith,
  type settingsOptions,
  settingsSource,
} from "../commandSettings.js";

/**
 * Reads the project that has this name or this id, with its credentials only if they are asked for.
 *
 * @throws ProjectServiceError also `NOT_FOUND`, and `AMBIGUOUS_NAME` if several projects have the name, or another one
 *   has it as id.
 */
export async function readNamedProject(
  text: string,
  { credentials, ...options }: OptionValues<typeof settingsOptions> & { credentials: boolean },
): Promise<Project> {
  const service = await serviceWith(await commandSettings(settingsSource(options)));
  const listed = await service.list();
  const found = listed.filter(({ name, projectId }) => name === text || projectId === text);
  const [first] = found;
  const option = `--project ${displayText(text)}`;
  if (first === undefined) {
    const names = listed.map(({ name }) => name);
    throw new ProjectServiceError(
      "NOT_FOUND",
      `${option} is neither the name nor the id of a project. ${didYouMean(text, names, "projects")}.`,
    );
  }
  if (found.length > 1) {
    const projects = displayList(found.map(({ name, projectId }) => `${projectId} (${name})`));
    throw new ProjectServiceError(
      "AMBIGUOUS_NAME",
      `${option} is the name or the id of ${found.length} projects: ${projects}. Pass an id or a name that only one of them has.`,
    );
  }
  const { projectId } = first;
  return service.readProject({ projectId }, credentials ? keepCredentials : withoutCredentials);
}
