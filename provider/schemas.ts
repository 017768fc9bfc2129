/*
 * What the service's answers must look like to be used, and, derived from it, their types.
 *
 * A field that identifies something (a project's _id and name, an environment's id, a database's
 * name and credentials, the id of an asset group or symlink) is required. Everything else that the
 * interface declares may be missing or null, but never of another type. Other fields are ignored.
 */
import type { FromSchema } from "json-schema-to-ts";

/**
 * Any text but the one that stands for an unknown value in Pulumi, and but text with half a
 * surrogate pair: Pulumi drops some of those halves without a word, and others end the program.
 */
const usable = "^(?!04da6b54-80e4-46f7-96ec-b56ff0331ba9$)[^\\ud800-\\udfff]";
/** Not the empty one either; `minLength` would need ajv at run time. */
const id = { type: "string", pattern: `${usable}+$` } as const;
const text = { type: ["string", "null"], pattern: `${usable}*$` } as const;
const credential = { type: "string", pattern: `${usable}*$` } as const;
const flag = { type: ["boolean", "null"] } as const;
/** JSON has integers that JavaScript rounds: those are refused. */
const integer = {
  type: ["integer", "null"],
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
} as const;
const anything = {} as const;

const database = {
  type: "object",
  properties: {
    name: id,
    associationId: integer,
    databaseType: text,
    username: credential,
    password: credential,
    allowedIP: anything,
  },
  required: ["name", "username", "password"],
} as const;

const assetGroup = {
  type: "object",
  properties: { id, path: text, title: text, associationId: integer, symLinkId: text },
  required: ["id"],
} as const;

const symLink = {
  type: "object",
  properties: { id, to: text, from: text, assetGroupId: text },
  required: ["id"],
} as const;

const environment = {
  type: "object",
  properties: {
    environmentId: id,
    order: integer,
    projectEnvironmentAssets: {
      type: ["object", "null"],
      properties: {
        deploymentTargetGroupId: text,
        assetGroups: { type: ["array", "null"], items: assetGroup },
        initialized: anything,
      },
    },
    projectEnvironmentCode: {
      type: ["object", "null"],
      properties: {
        branch: { type: ["object", "null"], properties: { name: text, guarded: flag } },
        currentTag: text,
        deploymentTargetGroupId: text,
        webroot: text,
        webServer: text,
        initialized: anything,
        importBranchOrTag: anything,
        latestDeploymentPaths: { type: ["array", "null"], items: anything },
        deploymentsToKeep: integer,
      },
    },
    projectEnvironmentDatabases: {
      type: ["object", "null"],
      properties: {
        deploymentTargetGroupId: text,
        databases: { type: ["array", "null"], items: database },
        initialized: flag,
      },
    },
    symLinks: { type: ["array", "null"], items: symLink },
  },
  required: ["environmentId"],
} as const;

const summaryProperties = { _id: id, name: id, type: text, status: text, domain: text } as const;

const summary = {
  type: "object",
  properties: summaryProperties,
  required: ["_id", "name"],
} as const;

export const projectSchema = {
  type: "object",
  properties: {
    ...summaryProperties,
    hasCode: flag,
    hasDatabases: flag,
    hasAssets: flag,
    codeRepository: {
      type: ["object", "null"],
      properties: {
        gitHost: text,
        group: text,
        name: text,
        repositoryId: text,
        gitProvider: text,
        importRepository: anything,
        sshrepoUrl: text,
      },
    },
    projectEnvironments: { type: ["array", "null"], items: environment },
  },
  required: ["_id", "name"],
} as const;

/**
 * Links and page counts are not in the document, so that nothing is refused for their shape:
 * paging.ts looks at them.
 */
export const projectListSchema = {
  type: "object",
  properties: {
    _embedded: {
      type: "object",
      properties: { projectResources: { type: "array", items: summary } },
      required: ["projectResources"],
    },
    _links: anything,
    page: anything,
  },
} as const;

/**
 * The access token goes into a header: only visible ASCII is let through.
 * `refresh_expires_in` 0 means that the refresh token does not expire by itself.
 */
export const tokenReplySchema = {
  type: "object",
  properties: {
    access_token: { type: "string", pattern: "^[!-~]+$" },
    token_type: { enum: ["Bearer", "bearer", "BEARER", null] },
    expires_in: { type: ["number", "null"], exclusiveMinimum: 0 },
    refresh_token: text,
    refresh_expires_in: { type: ["number", "null"], minimum: 0 },
  },
  required: ["access_token"],
} as const;

export type WireProject = FromSchema<typeof projectSchema>;
export type WireProjectList = FromSchema<typeof projectListSchema>;
export type WireTokenReply = FromSchema<typeof tokenReplySchema>;

export type WireProjectSummary = NonNullable<
  WireProjectList["_embedded"]
>["projectResources"][number];
export type WireEnvironment = NonNullable<WireProject["projectEnvironments"]>[number];
export type WireAssetGroup = FromSchema<typeof assetGroup>;
export type WireDatabase = FromSchema<typeof database>;
export type WireSymLink = FromSchema<typeof symLink>;
