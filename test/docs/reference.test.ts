import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { formatNames } from "../../audit/report/formatReport.js";
import { settingKeys } from "../../provider/settings/settingSources.js";
import { withDriftTable } from "../../tools/docs/driftTable.js";
import { pipelineSchema, withFieldTable } from "../../tools/docs/fields.js";
import { readDocument } from "../../tools/docs/documents.js";
import { repository } from "../support/paths.js";

const read = (path: string) => readDocument(repository, path);

/** Returns the rows of the tables in a document that start with code, as lists of cells. */
function rowsWithCode(document: string): string[][] {
  return [...document.matchAll(/^\| (`.*) \|$/gm)].map(([, row = ""]) =>
    row.split(" | ").map((cell) => cell.trim()),
  );
}

/** Returns the codes that a program can compare with, from the source of their type. */
function errorCodes(): string[] {
  const file = join(repository, "provider/errors/projectServiceError.ts");
  return [...readFileSync(file, "utf8").matchAll(/^ {2}\| "([A-Z_]+)"/gm)].map(
    ([, code]) => code as string,
  );
}

describe("the reference", () => {
  it("of errors has each of the 16 codes once", () => {
    const documented = rowsWithCode(read("docs/errors.md"))
      .map(([code = ""]) => code.replaceAll("`", ""))
      .filter((code) => /^[A-Z_]+$/.test(code));
    assert.deepEqual(documented.toSorted(), errorCodes().toSorted());
    assert.equal(documented.length, 16);
  });

  it("of settings has each key once, with its variable, and says which are secret", () => {
    const rows = rowsWithCode(read("docs/settings.md")).filter(([, variable = ""]) =>
      variable.startsWith("`PROJECT_SERVICE_"),
    );
    const documented = rows.map(([key = "", variable = "", meaning = ""]) => ({
      key: key.replaceAll("`", ""),
      variable: variable.replaceAll("`", ""),
      secret: meaning.includes("**secret**"),
    }));
    const existing = Object.entries(settingKeys).map(([key, { secret = false }]) => ({
      key,
      variable: `PROJECT_SERVICE_${key.replace(/[A-Z]/g, "_$&").toUpperCase()}`,
      secret,
    }));
    const byKey = (a: { key: string }, b: { key: string }) => (a.key < b.key ? -1 : 1);
    assert.deepEqual(documented.toSorted(byKey), existing.toSorted(byKey));
  });

  it("of fields is written from their description (npm run docs writes it)", async () => {
    const functions = read("docs/functions.md");
    assert.equal(functions, await withFieldTable(functions));
    assert.equal(read("schemas/pipeline-outputs.schema.json"), await pipelineSchema());
  });

  it("of drift is written from the cases of the tests (npm run docs writes it)", async () => {
    const drift = read("docs/drift.md");
    assert.equal(drift, await withDriftTable(drift));
  });

  it("of the audit has each format", () => {
    const names = rowsWithCode(read("docs/audit.md")).map(([name = ""]) =>
      name.replaceAll("`", ""),
    );
    for (const format of formatNames) assert.ok(names.includes(format), format);
  });
});

describe("the README", () => {
  it("has at most 120 lines", () => {
    assert.ok(read("README.md").trimEnd().split("\n").length <= 120);
  });

  it("sets exactly the required settings", () => {
    const set = [...read("README.md").matchAll(/config set .*project-service:(\w+)/g)].map(
      ([, key]) => key,
    );
    assert.deepEqual(set.toSorted(), [
      "authUrl",
      "baseUrl",
      "clientId",
      "password",
      "realm",
      "username",
    ]);
  });
});
