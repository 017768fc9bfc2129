interface Database {
  readonly name: string;
  readonly username: string;
  readonly password: string;
}

interface Environment {
  readonly environmentId: string;
  readonly branch?: { readonly name: string };
  readonly currentTag?: string;
  readonly webroot?: string;
  readonly databases: readonly Database[];
}

/** The outputs of examples/quickstart, as `pulumi stack output --json` prints them. */
export interface DemoOutputs {
  readonly name: string;
  readonly repository: string;
  readonly environments: readonly Environment[];
}

/** Formats the outputs as a table with one row for each database. */
export function formatOutputs({ name, repository, environments }: DemoOutputs): string {
  const header = ["environment", "branch", "tag", "webroot", "database", "user", "password"];
  const rows = [header, ...environments.flatMap(rowsOf)];
  return `Project ${name}, ${repository}\n\n${formatTable(rows)}`;
}

/** Returns one row for each database. Only the first row names the environment. */
function rowsOf({ environmentId, branch, currentTag, webroot, databases }: Environment) {
  const fields = [environmentId, branch?.name ?? "", currentTag ?? "", webroot ?? ""];
  const [first = ["-", "", ""], ...others] = databases.map((database) => [
    database.name,
    database.username,
    database.password,
  ]);
  return [[...fields, ...first], ...others.map((other) => ["", "", "", "", ...other])];
}

function formatTable(rows: readonly string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? "").length)),
  );
  return rows
    .map((row) =>
      `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")}`.trimEnd(),
    )
    .join("\n");
}
