import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import { type Fields, projectFields } from "../../provider/model/fields.js";
import type { Environment, InaccessibleProject, Project } from "../../provider/model/project.js";
import { isRecorded } from "../../provider/model/recordedFields.js";
import { projectsSnapshotType, projectSnapshotType } from "../../provider/snapshot/providerText.js";

/** Data from a response or a state. Every part of it may be missing. */
type Recorded<T> = T extends (infer E)[]
  ? readonly Recorded<E>[]
  : T extends object
    ? { readonly [K in keyof T]?: Recorded<T[K]> | null | undefined }
    : T;

/**
 * A project to check: a result of getProject, the properties of a ProjectSnapshot, a project of a
 * ProjectsSnapshot, or any object of the same shape.
 */
export type ProjectToCheck = Recorded<Project> & {
  /**
   * A ProjectSnapshot has this property unless it records without credentials. Rules never receive it.
   */
  readonly credentials?: unknown;
  /** Whether the project comes with recorded credentials, for an object without the property `credentials`. */
  readonly recordsCredentials?: boolean | undefined;
  /** The error code, such as `FORBIDDEN`, of a project that a ProjectsSnapshot could not read. */
  readonly inaccessible?: string | undefined;
  /** The record of a project that a ProjectsSnapshot records in part. */
  readonly partialRecord?: PartialRecord | undefined;
};

/** The record of some fields of each project, made by a ProjectsSnapshot with `fields`. */
export interface PartialRecord {
  /** The argument `fields`. */
  readonly fields: readonly string[];
  /** Whether the project has the findings about the whole record. True for one project of a record. */
  readonly isFirst: boolean;
}

/** A project as rules see it: all its fields, and no credentials. */
export type AuditedProject = Omit<
  ProjectToCheck,
  keyof Identified | "credentials" | "recordsCredentials" | "missingFields"
> &
  Identified & {
    /** The documented fields that the service omits. */
    readonly missingFields: readonly string[];
    /** True for a snapshot that records credentials. */
    readonly recordsCredentials: boolean;
  };

/** An environment as rules see it. */
export type AuditedEnvironment = Recorded<Environment> & { readonly environmentId: string };

/** The fields that every finding needs. */
interface Identified {
  readonly projectId: string;
  readonly name: string;
  readonly environments: readonly AuditedEnvironment[];
}

/** The copies of {@link auditedProject}, so that checking many rules copies a project once. */
const copies = new WeakSet<object>();

/**
 * Returns a copy of the project for rules. It has the known fields only, so a rule cannot receive a
 * credential: neither a recorded one, nor one that getProject has read, nor one that a policy pack gets
 * decrypted. All rules share the copy, so it is frozen throughout.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` if the object is not a project.
 */
export function auditedProject(project: ProjectToCheck): AuditedProject {
  if (copies.has(project)) return project as AuditedProject;
  if (!isIdentified(project)) {
    throw argumentInvalid(
      "Checking a project failed: the object is not a project. It needs projectId, name and environments, each with an environmentId, and its lists must be lists. Pass a result of getProject or the properties of a ProjectSnapshot.",
    );
  }
  const { credentials, recordsCredentials, inaccessible, partialRecord } = project;
  const copy = Object.freeze({
    ...copyOf(projectFields, project),
    recordsCredentials: recordsCredentials === true || (credentials ?? undefined) !== undefined,
    inaccessible,
    ...(partialRecord && { partialRecord }),
  });
  copies.add(copy);
  return copy as AuditedProject;
}

/**
 * Returns the projects that a resource records, without their credentials: one of a ProjectSnapshot,
 * all of a ProjectsSnapshot. The list is empty for a resource that records no projects, so a policy can
 * call this function for every resource.
 *
 * A project that a ProjectsSnapshot could not read has its id as its name, no environments, and
 * `inaccessible`. Each rule about the service then returns a finding with the state `unknown`.
 *
 * If a ProjectsSnapshot records only some `fields`, the others are undefined, and `environments` may be
 * empty. A house rule that needs another field returns one finding for the resource, with the state
 * `unknown`. Of your own rules, those with `checkEnvironment` do the same if no environments are
 * recorded. Every other rule must treat `undefined` as unknown.
 *
 * @param type the resource type.
 * @param props the properties of the resource, as a policy gets them.
 * @throws ProjectServiceError `ARGUMENT_INVALID` if the resource should record projects but does not.
 *
 * @example
 * for (const project of auditedProjects(type, props))
 *   for (const finding of rule.check(project)) report(sentenceOf(finding));
 */
export function auditedProjects(
  type: string,
  props: Readonly<Record<string, unknown>>,
): AuditedProject[] {
  if (type === projectSnapshotType) return [auditedProject(props)];
  if (type === projectsSnapshotType) return projectsOf(props);
  return [];
}

function projectsOf(props: Readonly<Record<string, unknown>>): AuditedProject[] {
  const { projects, inaccessible, credentials, fields } = props;
  if (typeof projects !== "object" || projects === null || !Array.isArray(inaccessible)) {
    throw argumentInvalid(
      "Checking projects failed: the properties are not those of a ProjectsSnapshot. They need projects and inaccessible.",
    );
  }
  const recordsCredentials = (credentials ?? undefined) !== undefined;
  return [
    ...Object.values(projects as Record<string, ProjectToCheck>).map((project, index) =>
      auditedProject({
        ...(fields === undefined ? project : partialProject(project, fields, index === 0)),
        recordsCredentials,
      }),
    ),
    ...(inaccessible as readonly Partial<InaccessibleProject>[]).map(({ projectId, code }) =>
      auditedProject({ projectId, name: projectId, environments: [], inaccessible: code }),
    ),
  ];
}

function partialProject(
  project: ProjectToCheck,
  fields: unknown,
  isFirst: boolean,
): ProjectToCheck {
  const partialRecord = { fields: fields as readonly string[], isFirst };
  if (!isPartialRecord(partialRecord) || isRecorded(partialRecord.fields, "environments")) {
    return { ...project, partialRecord };
  }
  const missingFields = [...(project?.missingFields ?? []), "environments"];
  return { ...project, environments: [], missingFields, partialRecord };
}

/** Without this check, an object that is not a project could pass the rules. */
function isIdentified(project: object): project is ProjectToCheck & Identified {
  const { projectId, name, environments, missingFields, inaccessible, partialRecord } =
    project as Partial<Identified> & { readonly [K in keyof ProjectToCheck]?: unknown };
  return (
    typeof projectId === "string" &&
    typeof name === "string" &&
    Array.isArray(environments) &&
    environments.every(isEnvironment) &&
    isListOf("string", missingFields) &&
    (inaccessible === undefined || typeof inaccessible === "string") &&
    (partialRecord === undefined || isPartialRecord(partialRecord))
  );
}

function isPartialRecord(value: unknown): value is PartialRecord {
  const { fields } = (value ?? {}) as Partial<PartialRecord>;
  return Array.isArray(fields) && isListOf("string", fields);
}

function isEnvironment(value: AuditedEnvironment | null): boolean {
  return (
    typeof value?.environmentId === "string" &&
    [value.databases, value.assetGroups, value.symLinks].every((list) =>
      isListOf("object", list),
    ) &&
    isListOf("string", value.missingFields)
  );
}

/** Whether a value is a list of such elements, or missing. */
function isListOf(type: "object" | "string", value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return (
    Array.isArray(value) && value.every((element) => typeof element === type && element !== null)
  );
}

/**
 * Returns a copy that no rule can change, with the known fields except credentials. Its `missingFields`
 * names undefined lists, whether the original does so or not.
 */
function copyOf(fields: Fields, original: object): object {
  const values = original as Readonly<Record<string, unknown>>;
  const copy: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(fields)) {
    if ("isCredential" in field && field.isCredential === true) continue;
    const value = values[key];
    if (field.kind === "missingFields") {
      copy[key] = Object.freeze(missingFieldsOf(fields, values));
    } else if (value === undefined || value === null) {
      copy[key] = value;
    } else if (field.kind === "object" || field.kind === "group") {
      copy[key] = copyOf(field.fields, value);
    } else if (field.kind === "list") {
      copy[key] = Object.freeze((value as object[]).map((element) => copyOf(field.of, element)));
    } else {
      copy[key] = frozenCopy(value);
    }
  }
  return Object.freeze(copy);
}

function missingFieldsOf(fields: Fields, values: Readonly<Record<string, unknown>>): string[] {
  const named = (values["missingFields"] ?? []) as readonly string[];
  const undefinedLists = Object.entries(fields)
    .filter(([, { kind }]) => kind === "list" || kind === "jsonList")
    .filter(([key]) => (values[key] ?? undefined) === undefined)
    .map(([key]) => key);
  return [...new Set([...named, ...undefinedLists.sort()])];
}

/** Returns a copy of a JSON value that no rule can change. */
function frozenCopy(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const copy: unknown = Array.isArray(value)
    ? value.map(frozenCopy)
    : Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, frozenCopy(inner)]));
  return Object.freeze(copy);
}
