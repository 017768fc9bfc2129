/*
 * JSON schemas of the service's responses, and the types derived from them.
 *
 * Fields that identify something are required: id and name of a project, id of an environment, name
 * and credentials of a database, id of an asset group or symlink. Other documented fields may be
 * missing or null, but never have another type. Fields that the document does not show are ignored.
 */
import type { FromSchema } from "json-schema-to-ts";
import { unknownValue } from "./pulumiSentinels.js";

/**
 * Excludes Pulumi's text for an unknown value, and unpaired surrogates: Pulumi drops some of them in
 * silence, and others end the program.
 */
const unusable = { type: "string", pattern: `^${unknownValue}$|[\\ud800-\\udfff]` } as const;
/** Also excludes the empty text. The keyword `minLength` would need ajv at run time. */
const id = { type: "string", pattern: "[^]", not: unusable } as const;
const text = { type: ["string", "null"], not: unusable } as const;
const credential = { type: "string", not: unusable } as const;
const flag = { type: ["boolean", "null"] } as const;
/** Excludes integers that JavaScript would round. */
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

/** The document does not show links and page counts, so any shape is allowed. paging.ts reads them. */
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
 * The access token becomes part of a header, so only visible ASCII is allowed.
 * With `refresh_expires_in` 0, the refresh token does not expire.
 */
export const tokenResponseSchema = {
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
export type WireTokenResponse = FromSchema<typeof tokenResponseSchema>;

export type WireProjectSummary = NonNullable<
  WireProjectList["_embedded"]
>["projectResources"][number];
export type WireEnvironment = NonNullable<WireProject["projectEnvironments"]>[number];
export type WireAssetGroup = FromSchema<typeof assetGroup>;
export type WireDatabase = FromSchema<typeof database>;
export type WireSymLink = FromSchema<typeof symLink>;
