/*
 * What people read about the fields of a project: the schema of pipeline outputs, and the table of
 * docs/functions.md. The texts are those of provider/model/project.ts.
 */
import { join } from "node:path";
import { format, resolveConfig } from "prettier";
import * as ts from "typescript";
import { type Field, type Fields, placeOf, projectFields } from "../../provider/model/fields.js";
import { withTable } from "./tables.js";

type Schema = Record<string, unknown>;

/** Returns schemas/pipeline-outputs.schema.json. */
export async function pipelineSchema(): Promise<string> {
  const schema = {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Pipeline outputs of a Pulumi stack",
    description:
      "The outputs project and credentials that pipelineOutputs of pulumi-project-service makes, as pulumi stack output --json prints them. A stack may give them other names and have more outputs. A field that the service omits is missing. Unknown fields are allowed.",
    type: "object",
    required: ["project"],
    properties: {
      project: { $ref: "#/definitions/project" },
      credentials: {
        description:
          "Missing if the project was read with includeCredentials: false. Without --show-secrets, the text [secret].",
        anyOf: [{ $ref: "#/definitions/credentials" }, { const: "[secret]" }],
      },
    },
    definitions: {
      project: {
        description: "A project without its credentials.",
        ...objectSchema(projectFields, typeNamed("Project")),
      },
      credentials: {
        description: "All credentials of a project.",
        type: "object",
        required: ["projectId", "databases"],
        properties: {
          projectId: { description: "Id of the project.", type: "string" },
          databases: {
            description: "By environmentId.",
            type: "object",
            additionalProperties: {
              type: "array",
              items: {
                type: "object",
                required: ["name", "username", "password"],
                properties: {
                  associationId: {
                    description: "Id of the association with the environment.",
                    type: "integer",
                  },
                  name: { description: "Name of the database.", type: "string" },
                  username: { description: "Database user.", type: "string" },
                  password: { description: "Password of the database user.", type: "string" },
                },
              },
            },
          },
          importRepository: {
            description: "Null if nothing is imported. An import address can contain a token.",
          },
        },
      },
    },
  };
  const file = join(__dirname, "../../../schemas/pipeline-outputs.schema.json");
  return format(JSON.stringify(schema), { ...(await resolveConfig(file)), parser: "json" });
}

const modelFile = join(__dirname, "../../../provider/model/project.ts");
const program = ts.createProgram([modelFile], { strict: true });
const checker = program.getTypeChecker();

function typeNamed(name: string): ts.Type {
  const module = checker.getSymbolAtLocation(program.getSourceFile(modelFile)!)!;
  return checker.getDeclaredTypeOfSymbol(
    checker.getExportsOfModule(module).find((symbol) => symbol.name === name)!,
  );
}

function objectSchema(fields: Fields, type: ts.Type): Schema {
  const shown = Object.entries(fields).filter(([, field]) => !isCredential(field));
  const required = shown
    .filter(([, { kind }]) => ["id", "list", "jsonList", "group"].includes(kind))
    .map(([key]) => key);
  return {
    type: "object",
    ...(required.length === 0 ? {} : { required }),
    properties: Object.fromEntries(
      shown.map(([key, field]) => {
        const property = type.getProperty(key)!;
        const description = ts
          .displayPartsToString(property.getDocumentationComment(checker))
          .replaceAll("\n", " ");
        return [key, { description, ...valueSchema(field, checker.getTypeOfSymbol(property)) }];
      }),
    ),
  };
}

function valueSchema(field: Field, type: ts.Type): Schema {
  switch (field.kind) {
    case "object":
    case "group":
      return objectSchema(field.fields, type);
    case "list":
      return {
        type: "array",
        items: objectSchema(field.of, checker.getIndexTypeOfType(type, ts.IndexKind.Number)!),
      };
    case "jsonList":
      return { type: "array" };
    case "missingFields":
      return { type: "array", items: { type: "string" } };
    case "integer":
      return { type: "integer" };
    case "flag":
      return { type: "boolean" };
    case "json":
      return {};
    default:
      return { type: "string" };
  }
}

/** Returns docs/functions.md with the table of the fields and their places in the service. */
export function withFieldTable(document: string): Promise<string> {
  return withTable(
    document,
    ["field of a result", "field of the service"],
    rowsOf(projectFields).map(([key, place, note]) => [`\`${key}\`${note}`, `\`${place}\``]),
  );
}

function rowsOf(fields: Fields, key = "", place = ""): [string, string, string][] {
  return Object.entries(fields).flatMap(([name, field]): [string, string, string][] => {
    const [ownKey, ownPlace] = [key + name, place + placeOf(name, field)];
    switch (field.kind) {
      case "object":
        return rowsOf(field.fields, `${ownKey}.`, `${ownPlace}.`);
      case "group":
        return rowsOf(field.fields, `${ownKey}.`, place);
      case "list":
        return rowsOf(field.of, `${ownKey}[].`, `${ownPlace}[].`);
      case "missingFields":
        return [];
      default:
        return [[ownKey, ownPlace, isCredential(field) ? " (secret)" : ""]];
    }
  });
}

function isCredential(field: Field): boolean {
  return "isCredential" in field && field.isCredential === true;
}
