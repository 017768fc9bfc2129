/*
 * Compiles provider/schemas.ts into dist/provider/validators.js. Run by `npm run build`: a program
 * that uses the package loads plain functions, neither ajv nor its compiler.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import standaloneCode from "ajv/dist/standalone/index.js";
import { projectListSchema, projectSchema, tokenReplySchema } from "../provider/schemas.js";

const items: Record<string, object> = {};

/**
 * A schema with those of list elements taken out: they become functions of their own, which V8
 * optimizes long before it does the whole.
 */
function withItemsApart(schema: object): object {
  const entries = Object.entries(schema).map(([key, value]: [string, unknown]) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return [key, value];
    const inner = withItemsApart(value);
    if (key !== "items" || !("properties" in inner)) return [key, inner];
    const name = `item${Object.keys(items).length}`;
    items[name] = inner;
    return [key, { $ref: name }];
  });
  return Object.fromEntries(entries) as object;
}

const schemas = {
  isProject: withItemsApart(projectSchema),
  isProjectList: withItemsApart(projectListSchema),
  isTokenReply: withItemsApart(tokenReplySchema),
};
const ajv = new Ajv({
  code: { source: true },
  strict: true,
  allowUnionTypes: true,
  inlineRefs: false,
  schemas: { ...items, ...schemas },
});

const names = Object.fromEntries(Object.keys(schemas).map((name) => [name, name]));
const code = standaloneCode(ajv, names);
if (code.includes("require(")) throw new Error("The validators must not need a module at run time");
writeFileSync(join(__dirname, "../provider/validators.js"), code);
