import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { defineConfig, globalIgnores } from "eslint/config";
import jsdoc from "eslint-plugin-jsdoc";
import tseslint from "typescript-eslint";

export default defineConfig(
  globalIgnores(["dist/", "node_modules/", ".demo/", ".stryker-tmp/"]),
  tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parserOptions: { project: ["./tsconfig.json"] },
    },
    rules: {
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-unused-vars": [
        "error",
        { argsIgnorePattern: "^_", varsIgnorePattern: "^_" },
      ],
    },
  },
  {
    // A test compiles the examples. Types here would need a compiler for each.
    files: ["**/*.mjs", "examples/**"],
    extends: [tseslint.configs.disableTypeChecked],
  },
  {
    // Each exported name, and each property of an exported type, needs a docstring.
    files: publicFiles(),
    plugins: { jsdoc },
    rules: {
      "jsdoc/require-jsdoc": [
        "error",
        {
          publicOnly: { ancestorsOnly: true },
          require: { ClassDeclaration: true, FunctionDeclaration: true },
          contexts: [
            "ExportNamedDeclaration > VariableDeclaration",
            "ExportNamedDeclaration > TSTypeAliasDeclaration",
            "ExportNamedDeclaration > TSInterfaceDeclaration[body.body.length > 0]",
            "ExportNamedDeclaration > TSInterfaceDeclaration TSPropertySignature",
            "ExportNamedDeclaration > TSInterfaceDeclaration TSMethodSignature",
            "ExportNamedDeclaration > ClassDeclaration PropertyDefinition",
            "ExportNamedDeclaration > ClassDeclaration MethodDefinition[kind='method']",
          ],
          enableFixer: false,
        },
      ],
    },
  },
  {
    // An object of Outputs is not a promise left alone, and mocha's `it` returns nothing to await.
    files: ["test/**/*.ts"],
    rules: { "@typescript-eslint/no-unused-expressions": "off" },
  },
);

/** Returns the files whose names the entry points of the package export. */
function publicFiles() {
  return ["sdk/index.ts", "sandbox/index.ts", "audit/policies.ts"].flatMap((entry) =>
    [...readFileSync(entry, "utf8").matchAll(/^export [^;]* from "(.+)\.js"/gm)].map(
      ([, path]) => `${join(dirname(entry), path)}.ts`,
    ),
  );
}
