/*
 * The fields by which projects can be filtered and sorted, as paths such as `codeRepository.group`.
 * The types are derived from the types of the results, and the compiler checks the lists below.
 */
import type { Project, ProjectSummary } from "./project.js";

export type Scalar = string | number | boolean;

/** Paths to the scalars of T. JSON of undocumented shape has none. A path leads through lists only if they are in Lists. */
type Paths<T, Lists = never> = {
  [K in keyof T & string]: unknown extends T[K]
    ? never
    : T[K] extends Scalar
      ? K
      : T[K] extends readonly (infer E)[]
        ? unknown extends E
          ? never
          : [T[K]] extends [Lists]
            ? E extends Scalar
              ? K
              : `${K}.${Paths<E, Lists>}`
            : never
        : `${K}.${Paths<T[K], Lists>}`;
}[keyof T & string];

/** A field of the list form. */
export type ProjectListKey = Paths<ProjectSummary>;

/** A field of the full form that a project has once. */
export type ProjectSortKey = Paths<Project>;

/** A field of the full form, including fields of environments, databases and so on. */
export type ProjectFilterKey = Paths<Project, readonly unknown[]>;

type ElementOf<T> = T extends readonly (infer E)[] ? E : T;
type At<T, Path extends string> = Path extends `${infer K extends keyof T & string}.${infer Rest}`
  ? At<ElementOf<T[K]>, Rest>
  : T[Path & keyof T];
type KindOf<V> = V extends string ? "string" : V extends number ? "number" : "boolean";
type Kinds<Path extends string> = { readonly [P in Path]: KindOf<ElementOf<At<Project, P>>> };

export type Kind = KindOf<Scalar>;

export const listKeys: Kinds<ProjectListKey> = {
  projectId: "string",
  name: "string",
  type: "string",
  status: "string",
  domain: "string",
};

export const sortKeys: Kinds<ProjectSortKey> = {
  ...listKeys,
  hasCode: "boolean",
  hasDatabases: "boolean",
  hasAssets: "boolean",
  "codeRepository.gitHost": "string",
  "codeRepository.group": "string",
  "codeRepository.name": "string",
  "codeRepository.repositoryId": "string",
  "codeRepository.gitProvider": "string",
  "codeRepository.sshRepoUrl": "string",
};

export const filterKeys: Kinds<ProjectFilterKey> = {
  ...sortKeys,
  "environments.environmentId": "string",
  "environments.order": "number",
  "environments.branch.name": "string",
  "environments.branch.guarded": "boolean",
  "environments.currentTag": "string",
  "environments.webroot": "string",
  "environments.webServer": "string",
  "environments.deploymentsToKeep": "number",
  "environments.assetGroups.id": "string",
  "environments.assetGroups.path": "string",
  "environments.assetGroups.title": "string",
  "environments.assetGroups.associationId": "number",
  "environments.assetGroups.symLinkId": "string",
  "environments.databases.name": "string",
  "environments.databases.associationId": "number",
  "environments.databases.databaseType": "string",
  "environments.symLinks.id": "string",
  "environments.symLinks.to": "string",
  "environments.symLinks.from": "string",
  "environments.symLinks.assetGroupId": "string",
  "environments.deploymentTargetGroupIds.code": "string",
  "environments.deploymentTargetGroupIds.assets": "string",
  "environments.deploymentTargetGroupIds.databases": "string",
  "environments.initialized.databases": "boolean",
  "environments.missingFields": "string",
  missingFields: "string",
};

/** Returns the scalars at a path: several if it leads through lists, none if the field is missing. */
export function scalarsAt(project: object, path: readonly string[]): Scalar[] {
  let nodes: unknown[] = [project];
  for (const key of path) {
    nodes = nodes
      .flatMap((node) => (node as Record<string, unknown>)[key])
      .filter((node) => node !== undefined && node !== null);
  }
  return nodes as Scalar[];
}
