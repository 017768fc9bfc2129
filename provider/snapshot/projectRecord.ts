/*
 * The record of one project in a ProjectsSnapshot. The engine carries JSON texts several times cheaper than the same
 * data as nested values, and `pulumi preview --diff` decodes them. A text for each environment keeps that diff short.
 */
import { displayText } from "../errors/displayText.js";
import { argumentInvalid } from "../errors/projectServiceError.js";
import type { Project } from "../model/project.js";
import { compareValues } from "../model/projectFilter.js";
import { recordedPart } from "../model/selectedFields.js";

export interface ProjectRecord {
  /** JSON of the fields of the project, without its environments. */
  readonly project: string;
  /** JSON of each environment, by its id. Absent if `fields` names nothing of them. */
  readonly environments?: Readonly<Record<string, string>> | undefined;
}

/**
 * Returns the record of a project. Equal projects have equal records.
 *
 * @param paths what is recorded, as `recordedPaths` returns it.
 */
export function writeRecord(project: object, paths?: ReadonlySet<string>): ProjectRecord {
  const { environments, ...others } = recordedPart(project, paths) as Partial<Project>;
  const texts = environments?.map(
    (environment) => [environment.environmentId, JSON.stringify(environment)] as const,
  );
  return { project: JSON.stringify(others), environments: texts && Object.fromEntries(texts) };
}

/**
 * Returns the project of a record. Its environments are sorted by `order` and id.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` if the value is no record.
 */
export function readRecord(id: string, record: unknown): Project {
  const { project, environments } = (record ?? {}) as Partial<ProjectRecord>;
  const read = parsed(id, project) as Project;
  if (environments === undefined) return read;
  const sorted = Object.values(environments)
    .map((text) => parsed(id, text) as Project["environments"][number])
    .sort(
      (a, b) => compareValues(a.order, b.order) || compareValues(a.environmentId, b.environmentId),
    );
  return { ...read, environments: sorted };
}

function parsed(id: string, text: unknown): unknown {
  try {
    return JSON.parse(text as string);
  } catch {
    throw argumentInvalid(
      `The record of project ${displayText(id)} is not { project: JSON text, environments: { id: JSON text } }. If an earlier version of pulumi-project-service has recorded it, run pulumi up. A mock of Pulumi must return the inputs that it gets.`,
    );
  }
}
