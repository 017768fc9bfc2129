const provider = [
  "provider/errors",
  "provider/model",
  "provider/settings",
  "provider/wire",
  "provider/http",
  "provider/reading",
  "provider/snapshot",
];

/** The folders that each folder may import. DESIGN.md says what they are for. */
const folders = {
  "provider/errors": [],
  "provider/model": ["provider/errors"],
  "provider/settings": ["provider/model", "provider/errors"],
  "provider/wire": ["provider/model", "provider/errors"],
  "provider/http": ["provider/settings", "provider/wire", "provider/errors"],
  "provider/reading": provider.filter((folder) => folder !== "provider/snapshot"),
  "provider/snapshot": provider,
  "sdk/reading": provider,
  sdk: ["sdk/reading", ...provider],
  "audit/rules": provider,
  "audit/builtInRules": ["audit/rules", ...provider],
  "audit/document": [],
  "audit/report": ["audit/document", "audit/rules", ...provider],
  audit: ["audit/rules", "audit/builtInRules", "audit/report", ...provider],
  command: [
    ...["audit/document", "audit/rules", "audit/builtInRules", "audit/report", "sandbox"],
    ...provider,
  ],
  sandbox: ["provider/model"],
  examples: [],
};

/** Matches the files in a folder, except those in folders that have a rule of their own. */
function filesIn(folder) {
  const inner = Object.keys(folders).filter((other) => other.startsWith(`${folder}/`));
  return `^${folder}/(?!${inner.map((other) => `${other.slice(folder.length + 1)}/`).join("|") || "$"})`;
}

/** What `npm run lint` refuses. */
export default {
  forbidden: [
    ...Object.entries(folders).map(([folder, imported]) => ({
      name: `${folder} imports only ${[folder, ...imported].join(", ")}`,
      from: { path: filesIn(folder) },
      to: { dependencyTypes: ["local"], pathNot: [folder, ...imported].map(filesIn) },
    })),
    {
      name: "only these places know Pulumi",
      from: {
        pathNot: ["^provider/snapshot/dynamicProvider\\.ts$", "^(sdk|examples|bench|tools|test)/"],
      },
      to: { path: "(^|node_modules/)@pulumi/" },
    },
    { name: "no file imports itself through others", from: {}, to: { circular: true } },
  ].map((rule) => ({ ...rule, severity: "error" })),
  options: {
    // Imports of types alone count too.
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(dist|schemas)/" },
  },
};
