/*
 * Compiles the schemas of provider/wire/ and two of schemas/ into dist/provider/wire/validators.js, as a step
 * of `npm run build`. Programs that use the package then load plain functions, and load neither ajv nor
 * its compiler.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import standaloneCode from "ajv/dist/standalone/index.js";
import { argumentSchemas } from "../provider/wire/argumentSchemas.js";
import { responseSchemas } from "../provider/wire/responseSchemas.js";

const schemas = { ...responseSchemas, ...argumentSchemas };

const itemSchemas: Record<string, object> = {};

/**
 * Moves the schemas of array items into `itemSchemas` and leaves references. Each of them becomes a
 * separate function, which V8 optimizes much earlier than one large function.
 */
function extractItems(schema: object): object {
  const entries = Object.entries(schema).map(([key, value]: [string, unknown]) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return [key, value];
    const inner = extractItems(value);
    if (key !== "items" || !("properties" in inner)) return [key, inner];
    const name = `item${Object.keys(itemSchemas).length}`;
    itemSchemas[name] = inner;
    return [key, { $ref: name }];
  });
  return Object.fromEntries(entries) as object;
}

/** Returns a schema that users get too, so it contains titles and descriptions. */
function publicSchema(name: string): object {
  const file = join(__dirname, `../../schemas/${name}.schema.json`);
  return JSON.parse(readFileSync(file, "utf8")) as object;
}

const extracted = Object.fromEntries(
  Object.entries(schemas).map(([name, schema]) => [name, extractItems(schema)]),
);
const ajv = new Ajv({
  code: { source: true },
  strict: true,
  allowUnionTypes: true,
  inlineRefs: false,
  schemas: {
    ...itemSchemas,
    ...extracted,
    pipeline: publicSchema("pipeline-outputs"),
    accepted: publicSchema("accepted-findings"),
  },
});

const exportedNames = Object.fromEntries(Object.keys(schemas).map((name) => [name, name]));
const code = standaloneCode(ajv, {
  ...exportedNames,
  isAcceptedFile: "accepted",
  isPipelineOutputs: "pipeline",
});
if (code.includes("require(")) {
  throw new Error(
    "The generated validators require a module. They must be self-contained, so change the schema that causes it.",
  );
}
writeFileSync(join(__dirname, "../provider/wire/validators.js"), code);
