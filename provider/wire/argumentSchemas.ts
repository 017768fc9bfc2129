/*
 * JSON schemas of the arguments of users, in which an unknown key is an error. Those of filters and recorded fields
 * follow from the description of the fields.
 *
 * Only the build needs this module: generateValidators.ts makes functions from the schemas.
 */
import { projectFields } from "../model/projectFields.js";
import { filterKeysOf } from "../model/projectFilter.js";
import { recordableKeys } from "../model/selectedFields.js";
import type { Schema } from "./responseSchemas.js";

/**
 * Arguments with these keys. Null stands for a value that arrives later, and is never given. An unknown key
 * is found before a missing one, because it may be the missing one with a typing error.
 */
function argumentsSchema(properties: Schema, required: readonly string[] = []): Schema {
  const known = [{ propertyNames: { enum: Object.keys(properties) } }];
  return { type: "object", allOf: known, properties, required };
}

/** What a text must be. A message says that it must be the key. */
export const formats = {
  "a number": /^-?(0|[1-9]\d*)$/,
  'the scheme of a URL, such as "mysql", without a colon and slashes': /^[a-z][a-z\d+.-]*$/i,
};
const textOf = (format: keyof typeof formats) => ({ type: ["string", "null"], format });

const text = { type: ["string", "null"], pattern: "[^]" };
const flag = { type: "boolean" };
const onInaccessible = { enum: ["fail", "skip"] };

const filterKeys = filterKeysOf(projectFields);

/** A number or a boolean may also be given as text. */
const filterValues = {
  string: { type: ["string", "null"] },
  number: { ...textOf("a number"), type: ["number", "string", "null"] },
  boolean: { enum: [true, false, "true", "false", null] },
};

const withValues = (items: Schema) => ({
  properties: { values: { type: ["array", "null"], items } },
});

const filter = {
  ...argumentsSchema(
    {
      key: { enum: [...filterKeys.keys()] },
      values: { type: ["array", "null"], minItems: 1 },
      matchBy: { enum: ["exact", "substring"] },
    },
    ["key", "values"],
  ),
  if: { properties: { matchBy: { const: "substring" } }, required: ["matchBy"] },
  then: withValues(text),
  else: {
    allOf: Object.entries(filterValues).map(([kind, items]) => ({
      if: {
        properties: {
          key: { enum: [...filterKeys].flatMap(([key, own]) => (own === kind ? [key] : [])) },
        },
        required: ["key"],
      },
      then: withValues(items),
    })),
  },
};

const filters = { type: "array", items: { $ref: "isFilter" } };
const project = { projectId: text, name: text, includeCredentials: flag };
const environment = { ...project, environmentId: text };
const wellFormed = { type: ["string", "null"], pattern: "^[^\\ud800-\\udfff]+$" };

/** By the name of the function that checks an argument. */
export const argumentSchemas = {
  isFilter: filter,
  isGetProject: argumentsSchema(project),
  isGetEnvironment: argumentsSchema(environment, ["environmentId"]),
  isGetDatabase: argumentsSchema({ ...environment, databaseName: text }, ["environmentId"]),
  isGetProjects: argumentsSchema({
    filters,
    details: flag,
    includeCredentials: flag,
    onInaccessible,
  }),
  isProjectSnapshot: argumentsSchema({ ...project, connection: {} }),
  isProjectsSnapshot: argumentsSchema({
    filters,
    fields: { type: "array", minItems: 1, items: { enum: recordableKeys() } },
    onInaccessible,
    includeCredentials: flag,
    connection: {},
  }),
  isPipelineOutputNames: argumentsSchema({ project: text, credentials: text }),
  isReadOptions: argumentsSchema({ connection: {} }),
  isReadOutputOptions: argumentsSchema({ connection: {}, dependsOn: {} }),
  isDatabase: {
    type: "object",
    properties: { name: wellFormed, username: wellFormed, password: wellFormed },
    required: ["name", "username", "password"],
  },
  isDatabaseUrlOptions: argumentsSchema(
    {
      protocol: textOf('the scheme of a URL, such as "mysql", without a colon and slashes'),
      host: { type: ["string", "null"] },
      port: { type: ["integer", "null"], minimum: 1, maximum: 65_535 },
    },
    ["protocol", "host"],
  ),
};
