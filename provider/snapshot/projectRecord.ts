/*
 * The record of one project in a ProjectsSnapshot. The engine carries JSON texts several times cheaper than the same
 * data as nested values, and `pulumi preview --diff` decodes them. A text for each environment keeps that diff short.
 */
import { displayText } from "../errors/displayText.js";
import { argumentInvalid } from "../errors/projectServiceError.js";
import type { Project } from "../model/project.js";
import { compareValues } from "../model/compareValues.js";
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
  const what = `The record of project ${displayText(id)}`;
  const read = parseRecordText(project, what) as Project;
  if (environments === undefined) return read;
  const sorted = Object.values(environments)
    .map((text) => parseRecordText(text, what) as Project["environments"][number])
    .sort(
      (a, b) => compareValues(a.order, b.order) || compareValues(a.environmentId, b.environmentId),
    );
  return { ...read, environments: sorted };
}

/**
 * Parses a text of a record. Node's own error would quote it.
 *
 * @param what is recorded, for the message.
 */
export function parseRecordText(text: unknown, what: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text as string);
  } catch {
    // The error below says it.
  }
  if (typeof value === "object" && value !== null) return value;
  throw argumentInvalid(
    `${what} is not the JSON text that this version records. If an earlier version has recorded it, run pulumi up.`,
  );
}
