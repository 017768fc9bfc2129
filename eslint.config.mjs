import { defineConfig, globalIgnores } from "eslint/config";
import tseslint from "typescript-eslint";

/**
 * Who may import whom: examples → sdk → provider; audit → sdk, provider; test, bench → all;
 * sandbox imports none of them. Only sdk/ and provider/dynamic.ts know Pulumi.
 */
function mayNotImport(folder, others, packages = []) {
  return {
    files: [`${folder}/**/*.ts`],
    rules: {
      "@typescript-eslint/no-restricted-imports": [
        "error",
        {
          patterns: [
            ...others.map((other) => ({
              group: [`**/${other}/**`],
              message: `${folder}/ must not import ${other}/: see DESIGN.md.`,
            })),
            ...packages.map((name) => ({
              group: [name, `${name}/**`],
              message: `${folder}/ must make sense without ${name}: see DESIGN.md.`,
            })),
          ],
        },
      ],
    },
  };
}

export default defineConfig(
  globalIgnores(["dist/", "node_modules/", ".bench/", ".demo/", ".stryker-tmp/"]),
  tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parserOptions: { project: ["./tsconfig.json", "./examples/*/tsconfig.json"] },
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
  { files: ["**/*.mjs"], extends: [tseslint.configs.disableTypeChecked] },
  mayNotImport(
    "provider",
    ["sdk", "sandbox", "audit", "test", "bench", "tools"],
    ["@pulumi/pulumi"],
  ),
  {
    // The dynamic provider, which Pulumi calls.
    files: ["provider/dynamic.ts"],
    rules: mayNotImport("provider", ["sdk", "sandbox", "audit", "test", "bench", "tools"]).rules,
  },
  mayNotImport("sdk", ["sandbox", "audit", "test", "bench", "tools"]),
  mayNotImport(
    "sandbox",
    ["sdk", "provider", "audit", "test", "bench", "tools"],
    ["@pulumi/pulumi"],
  ),
  mayNotImport("examples", ["sdk", "provider", "sandbox", "audit", "test", "bench", "tools"]),
  {
    // An object of Outputs is not a promise left alone, and mocha's `it` returns nothing to await.
    files: ["test/**/*.ts"],
    rules: { "@typescript-eslint/no-unused-expressions": "off" },
  },
);
