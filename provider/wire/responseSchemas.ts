/*
 * JSON schemas of the responses of the service. Those of projects follow from the description of the fields.
 *
 * Ids are required, and so is the name of a project and of a database. Other documented fields may be missing or
 * null, but never have another type. Fields that the document does not show are ignored. What Pulumi does not carry is
 * found by the mapping.
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

export type Schema = Record<string, unknown>;

const scalars: Record<ScalarField["kind"], Schema> = {
  // Excludes the empty text. The keyword `minLength` would need ajv at run time.
  id: { type: "string", pattern: "[^]" },
  text: { type: ["string", "null"] },
  integer: { type: ["integer", "null"] },
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

/** By the name of the function that checks a response. */
export const responseSchemas = {
  isProject: objectSchema(projectFields),
  isProjectList: projectList,
};
