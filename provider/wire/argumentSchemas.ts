/*
 * JSON schemas of the arguments of users, in which an unknown key is an error. Those of filters and recorded fields
 * follow from the description of the fields.
 *
 * Only the build needs this module: generateValidators.ts makes functions from the schemas.
 */
import { pathsOf, projectFields } from "../model/projectFields.js";
import { isComparable } from "../model/projectFilter.js";
import type { Schema } from "./responseSchemas.js";

/**
 * Arguments with these keys. Null stands for a value that arrives later, and is never given. An unknown key
 * is found before a missing one, because it may be the missing one with a typing error.
 */
function argumentsSchema(properties: Schema, required: readonly string[] = []): Schema {
  const known = [{ propertyNames: { enum: Object.keys(properties) } }];
  return { type: "object", allOf: known, properties, required };
}

const text = { type: ["string", "null"], pattern: "[^]" };
const flag = { type: "boolean" };
/** A refresh does not run the program, so it could not use an object of settings. */
const namespace = { type: "string" };

const filterValue = { type: ["string", "number", "boolean", "null"] };
const filter = {
  ...argumentsSchema(
    {
      key: { enum: pathsOf(projectFields, isComparable) },
      values: {
        type: ["array", "null"],
        minItems: 1,
        items: filterValue,
      },
      matchBy: { enum: ["exact", "substring"] },
    },
    ["key", "values"],
  ),
  // Every text has the empty one as a part.
  if: { properties: { matchBy: { const: "substring" } }, required: ["matchBy"] },
  then: {
    properties: { values: { type: ["array", "null"], items: { ...filterValue, pattern: "[^]" } } },
  },
};

const urlScheme = "^[a-zA-Z][a-zA-Z\\d+.-]*$";
const fields = { type: "array", minItems: 1, items: { enum: pathsOf(projectFields) } };
const filters = { type: "array", items: { $ref: "isFilter" } };
const project = { projectId: text, name: text, includeCredentials: flag };
const environment = { ...project, environmentId: text };
const wellFormed = { type: ["string", "null"], pattern: "^[^\\ud800-\\udfff]+$" };

/** The connection is checked where it is resolved. The other options are those that Pulumi passes to each function. */
const readOptions = {
  connection: {},
  parent: {},
  provider: {},
  version: {},
  pluginDownloadURL: {},
  async: {},
};

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
    onInaccessible: { enum: ["fail", "skip"] },
  }),
  isProjectSnapshot: argumentsSchema({ ...project, fields, connection: namespace }),
  isProjectsSnapshot: argumentsSchema({
    filters,
    fields,
    onInaccessible: { enum: ["fail", "keep"] },
    maxRemovals: { type: "integer", minimum: 0 },
    includeCredentials: flag,
    connection: namespace,
  }),
  isReadOptions: argumentsSchema(readOptions),
  isReadOutputOptions: argumentsSchema({ ...readOptions, dependsOn: {} }),
  isDatabase: {
    type: "object",
    properties: { name: wellFormed, username: wellFormed, password: wellFormed },
    required: ["name", "username", "password"],
  },
  isDatabaseUrlOptions: argumentsSchema(
    {
      protocol: { type: ["string", "null"], pattern: urlScheme },
      host: { type: ["string", "null"] },
      port: { type: ["integer", "null"], minimum: 1, maximum: 65_535 },
      query: {
        type: ["object", "null"],
        propertyNames: { pattern: wellFormed.pattern },
        additionalProperties: wellFormed,
      },
    },
    ["protocol", "host"],
  ),
};
