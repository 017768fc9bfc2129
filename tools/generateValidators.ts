/*
 * Compiles provider/schemas.ts into dist/provider/validators.js. Run by `npm run build`: a program
 * that uses the package loads plain functions, neither ajv nor its compiler.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import standaloneCode from "ajv/dist/standalone/index.js";
import { projectListSchema, projectSchema, tokenReplySchema } from "../provider/schemas.js";

const ajv = new Ajv({
  code: { source: true },
  strict: true,
  allowUnionTypes: true,
  schemas: {
    isProject: projectSchema,
    isProjectList: projectListSchema,
    isTokenReply: tokenReplySchema,
  },
});

const code = standaloneCode(ajv, {
  isProject: "isProject",
  isProjectList: "isProjectList",
  isTokenReply: "isTokenReply",
});
if (code.includes("require(")) throw new Error("The validators must not need a module at run time");
writeFileSync(join(__dirname, "../provider/validators.js"), code);
