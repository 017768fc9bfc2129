/*
 * The fields of a project, each described once: from this follow the check and the mapping of responses, `missingFields`,
 * filters, records, the copy for rules, and the schema of pipeline outputs. project.ts has the types.
 */

interface Described {
  /**
   * The path in the service's JSON of the object around it, such as `projectEnvironmentCode.webroot`. Default: its
   * key. Empty for an object that the service does not have: its fields have places in the object around it.
   */
  readonly from?: string;
  /** The number of the first description of fields that has this one. Default 1. */
  readonly since?: number;
}

/**
 * The number of this description of fields, which is part of every record. A new field increases it, and names it
 * in `since`: an older record lacks the field without a change in the service.
 */
export const fieldsVersion = 1;

export interface ScalarField extends Described {
  /**
   * `id` is a text that is always there and not empty. `text`, `integer` and `flag` may be missing or null.
   * `json` has any shape, and keeps null.
   */
  readonly kind: "id" | "text" | "integer" | "flag" | "json";
  /** Whether only a user who may see secrets gets the value. */
  readonly isCredential?: true;
}

/** A list of objects. Its order has no meaning. */
export interface ListField extends Described {
  readonly kind: "list";
  readonly of: Fields;
  /** What people call an element. */
  readonly element: string;
  readonly identifiedBy: readonly string[];
  /** Default: the keys that identify the elements. */
  readonly sortedBy?: readonly string[];
}

export type Field =
  | ScalarField
  | ({ readonly kind: "object"; readonly fields: Fields } & Described)
  | ListField
  /** A list of any JSON, in the order of the service. */
  | ({ readonly kind: "jsonList" } & Described)
  /** The paths of the fields that the response omits. */
  | ({ readonly kind: "missingFields" } & Described);

export interface Fields {
  readonly [key: string]: Field;
}

export const listFields = {
  projectId: { kind: "id", from: "_id" },
  name: { kind: "id" },
  type: { kind: "text" },
  status: { kind: "text" },
  domain: { kind: "text" },
} as const satisfies Fields;

const environmentFields = {
  environmentId: { kind: "id" },
  order: { kind: "integer" },
  branch: {
    kind: "object",
    from: "projectEnvironmentCode.branch",
    fields: { name: { kind: "text" }, guarded: { kind: "flag" } },
  },
  currentTag: { kind: "text", from: "projectEnvironmentCode.currentTag" },
  webroot: { kind: "text", from: "projectEnvironmentCode.webroot" },
  webServer: { kind: "text", from: "projectEnvironmentCode.webServer" },
  importBranchOrTag: { kind: "json", from: "projectEnvironmentCode.importBranchOrTag" },
  latestDeploymentPaths: { kind: "jsonList", from: "projectEnvironmentCode.latestDeploymentPaths" },
  deploymentsToKeep: { kind: "integer", from: "projectEnvironmentCode.deploymentsToKeep" },
  assetGroups: {
    kind: "list",
    from: "projectEnvironmentAssets.assetGroups",
    element: "asset group",
    identifiedBy: ["id"],
    of: {
      id: { kind: "id" },
      path: { kind: "text" },
      title: { kind: "text" },
      associationId: { kind: "integer" },
      symLinkId: { kind: "text" },
    },
  },
  databases: {
    kind: "list",
    from: "projectEnvironmentDatabases.databases",
    element: "database",
    identifiedBy: ["name", "associationId"],
    of: {
      name: { kind: "id" },
      associationId: { kind: "integer" },
      databaseType: { kind: "text" },
      allowedIP: { kind: "json" },
      username: { kind: "text", isCredential: true },
      password: { kind: "text", isCredential: true },
    },
  },
  symLinks: {
    kind: "list",
    element: "symlink",
    identifiedBy: ["id"],
    of: {
      id: { kind: "id" },
      to: { kind: "text" },
      from: { kind: "text" },
      assetGroupId: { kind: "text" },
    },
  },
  deploymentTargetGroupIds: {
    kind: "object",
    from: "",
    fields: {
      code: { kind: "text", from: "projectEnvironmentCode.deploymentTargetGroupId" },
      assets: { kind: "text", from: "projectEnvironmentAssets.deploymentTargetGroupId" },
      databases: { kind: "text", from: "projectEnvironmentDatabases.deploymentTargetGroupId" },
    },
  },
  initialized: {
    kind: "object",
    from: "",
    fields: {
      code: { kind: "json", from: "projectEnvironmentCode.initialized" },
      assets: { kind: "json", from: "projectEnvironmentAssets.initialized" },
      databases: { kind: "flag", from: "projectEnvironmentDatabases.initialized" },
    },
  },
  missingFields: { kind: "missingFields" },
} as const satisfies Fields;

export const projectFields = {
  ...listFields,
  hasCode: { kind: "flag" },
  hasDatabases: { kind: "flag" },
  hasAssets: { kind: "flag" },
  codeRepository: {
    kind: "object",
    fields: {
      gitHost: { kind: "text" },
      group: { kind: "text" },
      name: { kind: "text" },
      repositoryId: { kind: "text" },
      gitProvider: { kind: "text" },
      sshRepoUrl: { kind: "text", from: "sshrepoUrl" },
      importRepository: { kind: "json", isCredential: true },
    },
  },
  environments: {
    kind: "list",
    from: "projectEnvironments",
    element: "environment",
    identifiedBy: ["environmentId"],
    sortedBy: ["order", "environmentId"],
    of: environmentFields,
  },
  missingFields: { kind: "missingFields" },
} as const satisfies Fields;

/** Returns the names that lead to a field in the service's JSON of the object around it. */
export function serviceNames(key: string, { from = key }: Field): string[] {
  return from === "" ? [] : from.split(".");
}

/** Returns the fields in an object or in the elements of a list. Other fields have none. */
export function innerFields(field: Field): Fields {
  return "fields" in field ? field.fields : "of" in field ? field.of : {};
}

/** Returns the paths of fields, such as `environments.webroot`. Credentials have none. */
export function pathsOf(
  fields: Fields,
  isWanted: (field: Field) => boolean = () => true,
  prefix = "",
): string[] {
  return Object.entries(fields).flatMap(([key, field]) => {
    if ("isCredential" in field) return [];
    const path = prefix + key;
    const inner = pathsOf(innerFields(field), isWanted, `${path}.`);
    return isWanted(field) ? [path, ...inner] : inner;
  });
}

export type ServiceField = Exclude<Field, { kind: "missingFields" }>;

/** Returns the fields that the service has, each with the names that lead to it in its JSON. */
export function serviceFields(fields: Fields): [names: string[], field: ServiceField][] {
  return Object.entries(fields).flatMap(([key, field]): [string[], ServiceField][] => {
    if (field.kind === "missingFields") return [];
    const names = serviceNames(key, field);
    return names.length === 0 ? serviceFields(innerFields(field)) : [[names, field]];
  });
}
