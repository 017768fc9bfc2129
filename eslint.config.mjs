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
    // Users import these files. Each public name and each of its properties needs a docstring.
    files: [
      "sdk/*.ts",
      "sandbox/{index,sandbox,sandboxProject}.ts",
      "audit/houseRules/{guardedProductionBranch,houseRules,initializedEnvironments}.ts",
      "audit/houseRules/{keptDeployments,restrictedDatabases,unsharedDatabases,webrootLocation}.ts",
      "audit/rules/{auditedProject,defineRule,finding,rule,runRules}.ts",
      "provider/model/project.ts",
      "provider/errors/projectServiceError.ts",
      "provider/settings/connectionSettings.ts",
    ],
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
