/*
 * JSON schemas of everything that comes from outside: responses of the service, and arguments of users.
 * Those of projects, filters and recorded fields follow from the description of the fields.
 *
 * In a response, ids are required, and so is the name of a project and of a database. Other documented
 * fields may be missing or null, but never have another type. Fields that the document does not show
 * are ignored. In arguments, an unknown key is an error.
 *
 * Only the build needs this module: generateValidators.ts makes functions from the schemas.
 */
import {
  type Fields,
  listFields,
  projectFields,
  type ScalarField,
  type ServiceField,
  serviceFields,
} from "../model/projectFields.js";
import { recordableKeys } from "../model/recordedFields.js";
import { filterKeysOf } from "../model/projectFilter.js";
import { unknownValue } from "./pulumiSafeJson.js";

/** A JSON schema. */
type Schema = Record<string, unknown>;

/**
 * Excludes Pulumi's text for an unknown value, and unpaired surrogates: Pulumi drops some of them in
 * silence, and others end the program.
 */
const unusable = { type: "string", pattern: `^${unknownValue}$|[\\ud800-\\udfff]` };

const scalars: Record<ScalarField["kind"], Schema> = {
  // Also excludes the empty text. The keyword `minLength` would need ajv at run time.
  id: { type: "string", pattern: "[^]", not: unusable },
  text: { type: ["string", "null"], not: unusable },
  // Excludes integers that JavaScript would round.
  integer: {
    type: ["integer", "null"],
    minimum: Number.MIN_SAFE_INTEGER,
    maximum: Number.MAX_SAFE_INTEGER,
  },
  flag: { type: ["boolean", "null"] },
  json: {},
};

function objectSchema(fields: Fields, type: string | string[] = "object"): Schema {
  const schema: ObjectSchema = { type, properties: {} };
  for (const [path, field] of serviceFields(fields)) {
    const name = path.at(-1) as string;
    let parent = schema;
    for (const outer of path.slice(0, -1)) {
      parent.properties[outer] ??= { type: ["object", "null"], properties: {} };
      parent = parent.properties[outer] as ObjectSchema;
    }
    parent.properties[name] = valueSchema(field);
    if (field.kind === "id") (parent.required ??= []).push(name);
  }
  return schema;
}

interface ObjectSchema extends Schema {
  readonly properties: Schema;
  required?: string[];
}

function valueSchema(field: ServiceField): Schema {
  switch (field.kind) {
    case "object":
      return objectSchema(field.fields, ["object", "null"]);
    case "list":
      return { type: ["array", "null"], items: objectSchema(field.of) };
    case "jsonList":
      return { type: ["array", "null"], items: {} };
    default:
      return scalars[field.kind];
  }
}

/** The document does not show links and page counts, so any shape is allowed. */
const projectList = {
  type: "object",
  properties: {
    _embedded: {
      type: "object",
      properties: { projectResources: { type: "array", items: objectSchema(listFields) } },
      required: ["projectResources"],
    },
  },
};

/**
 * The access token becomes part of a header, so only visible ASCII is allowed.
 * With `refresh_expires_in` 0, the refresh token does not expire.
 */
const tokenResponse = {
  type: "object",
  properties: {
    access_token: { type: "string", pattern: "^[!-~]+$" },
    token_type: { enum: ["Bearer", "bearer", "BEARER", null] },
    expires_in: { type: ["number", "null"], exclusiveMinimum: 0 },
    refresh_token: scalars.text,
    refresh_expires_in: { type: ["number", "null"], minimum: 0 },
  },
  required: ["access_token"],
};

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
/** A refresh does not run the program, so it could not use an object of settings. */
const namespace = { type: "string" };
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

/** By the name of the function that checks a value. */
export const schemas = {
  isProject: objectSchema(projectFields),
  isProjectList: projectList,
  isTokenResponse: tokenResponse,
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
  isProjectSnapshot: argumentsSchema({ ...project, connection: namespace }),
  isProjectsSnapshot: argumentsSchema({
    filters,
    fields: { type: "array", minItems: 1, items: { enum: recordableKeys() } },
    onInaccessible,
    includeCredentials: flag,
    connection: namespace,
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
