import { fileURLToPath } from "node:url";
import { defineConfig, globalIgnores } from "eslint/config";
import tseslint from "typescript-eslint";
import { folderImports } from "./tools/lint/folderImports.mjs";
import { importCircles } from "./tools/lint/importCircles.mjs";

const provider = [
  "provider",
  "provider/errors",
  "provider/model",
  "provider/http",
  "provider/settings",
  "provider/wire",
  "provider/auth",
  "provider/client",
  "provider/snapshot",
];

/** The folders that each folder may import. DESIGN.md says what they are for. */
const folders = {
  // From dist/, where the compiled file is, this is the folder with package.json.
  provider: [".."],
  "provider/errors": [],
  "provider/model": ["provider/errors"],
  "provider/http": ["provider", "provider/errors"],
  "provider/settings": ["provider/model", "provider/errors"],
  "provider/wire": ["provider/model", "provider/errors"],
  "provider/auth": ["provider/settings", "provider/wire", "provider/http", "provider/errors"],
  "provider/client": provider.filter((folder) => folder !== "provider/snapshot"),
  "provider/snapshot": provider,
  "sdk/reading": provider,
  sdk: ["sdk/reading", ...provider],
  "audit/rules": provider,
  "audit/houseRules": ["audit/rules", ...provider],
  "audit/report": ["audit/rules", "audit/houseRules", ...provider],
  audit: ["audit/rules", "audit/houseRules", "audit/report", ...provider],
  command: ["audit/rules", "audit/houseRules", "audit/report", ...provider],
  "sandbox/projects": ["provider/model"],
  sandbox: ["sandbox/projects"],
  "sandbox/command": ["sandbox", "sandbox/projects"],
  examples: [],
  templates: [],
};

/** The places that know Pulumi. */
const packages = {
  "@pulumi/": ["dynamicProvider.ts", "projectsProvider.ts"]
    .map((file) => `provider/snapshot/${file}`)
    .concat(["sdk", "command", "examples", "templates", "bench", "tools", "test"]),
};

export default defineConfig(
  globalIgnores(["dist/", "node_modules/", ".bench/", ".demo/", ".stryker-tmp/"]),
  tseslint.configs.recommendedTypeChecked,
  {
    plugins: {
      local: { rules: { "folder-imports": folderImports, "import-circles": importCircles } },
    },
    languageOptions: {
      parserOptions: {
        project: [
          "./tsconfig.json",
          "./audit/report/html/page/tsconfig.json",
          "./examples/*/tsconfig.json",
          "./templates/*/tsconfig.json",
        ],
      },
    },
    rules: {
      "local/folder-imports": [
        "error",
        { root: fileURLToPath(new URL(".", import.meta.url)), folders, packages },
      ],
      "local/import-circles": "error",
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-unused-vars": [
        "error",
        { argsIgnorePattern: "^_", varsIgnorePattern: "^_" },
      ],
    },
  },
  { files: ["**/*.mjs"], extends: [tseslint.configs.disableTypeChecked] },
  {
    // An object of Outputs is not a promise left alone, and mocha's `it` returns nothing to await.
    files: ["test/**/*.ts"],
    rules: { "@typescript-eslint/no-unused-expressions": "off" },
  },
);
