import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { formats } from "../../audit/report/formats.js";
import { houseRules } from "../../audit/policies.js";
import { pathsOf, projectFields } from "../../provider/model/projectFields.js";
import { type SettingKey, settingKeys } from "../../provider/settings/connectionSettings.js";
import { findInConfig } from "../../provider/settings/foundSettings.js";
import { readDocument } from "../support/documents.js";
import { codeSpans } from "../support/markdown.js";
import { repository } from "../support/paths.js";

const read = (path: string) => readDocument(repository, path);

/** Returns the code in the first cell of each row of the tables in a document. */
function firstCells(path: string): string[] {
  return [...read(path).matchAll(/^\| `([^`]+)`/gm)].map(([, cell]) => cell as string);
}

describe("the reference", () => {
  it("of errors has each code once", () => {
    const source = readFileSync(join(repository, "provider/errors/projectServiceError.ts"), "utf8");
    const codes = [...source.matchAll(/^ {2}\| "([A-Z_]+)"/gm)].map(([, code]) => code as string);
    const documented = firstCells("docs/reference.md").filter((cell) => /^[A-Z_]+$/.test(cell));
    assert.deepEqual(documented.toSorted(), codes.toSorted());
  });

  it("of settings has each key once, and says which are secret", () => {
    assert.deepEqual(firstCells("docs/settings.md").toSorted(), Object.keys(settingKeys).sort());
    const secret = [...read("docs/settings.md").matchAll(/^\| `(\w+)` .*\*\*secret\*\*/gm)];
    const secretKeys = Object.entries(settingKeys).filter(([, key]) => "secret" in key);
    assert.deepEqual(secret.map(([, key]) => key).sort(), secretKeys.map(([key]) => key).sort());
  });

  it("of settings has the environment variable of each key", () => {
    const rows = [...read("docs/settings.md").matchAll(/^\| `(\w+)` +\| `(\w+)`/gm)];
    assert.equal(rows.length, Object.keys(settingKeys).length);
    for (const [, key, variable = ""] of rows) {
      process.env[variable] = "value";
      const { found } = findInConfig("project-service", undefined);
      delete process.env[variable];
      assert.equal(found[key as SettingKey]?.value, "value", variable);
    }
  });

  it("of problems has messages that exist", () => {
    const sources = [...filesIn("provider"), ...filesIn("sdk"), ...filesIn("command")];
    const texts = [...sources, "node_modules/@pulumi/pulumi/output.js"].map(read).join("\n");
    const cells = [...read("docs/troubleshooting.md").matchAll(/^\| ([^|]*) \|/gm)];
    const messages = cells.flatMap(([, cell = ""]) => codeSpans(cell));
    assert.ok(messages.length > 15, `${messages.length} messages`);
    const unknown = messages.filter((message) => !texts.includes(message));
    assert.deepEqual(unknown, []);
  });

  it("of the audit has each rule and each format once", () => {
    const rules = houseRules().map(({ name }) => name);
    assert.deepEqual(
      firstCells("docs/audit.md").toSorted(),
      [...rules, ...Object.keys(formats)].sort(),
    );
  });

  // The tests of readPipelineOutputs check the types: the package itself uses this schema.
  it("of pipeline outputs, a JSON schema, has each field but the credentials", () => {
    const schema = JSON.parse(read("schemas/pipeline-outputs.schema.json")) as {
      definitions: { project: Schema };
    };
    assert.deepEqual(pathsIn(schema.definitions.project).sort(), pathsOf(projectFields).sort());
  });
});

/** Returns the paths of the TypeScript files in a folder. */
function filesIn(folder: string): string[] {
  return readdirSync(join(repository, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => join(folder, path));
}

interface Schema {
  properties?: Record<string, Schema>;
  items?: Schema;
  description?: string;
}

/** Returns the paths in a schema, in which everything has a description. */
function pathsIn({ items, properties = items?.properties ?? {} }: Schema, prefix = ""): string[] {
  return Object.entries(properties).flatMap(([name, property]) => {
    const path = prefix + name;
    assert.ok(property.description, `${path} has a description`);
    return [path, ...pathsIn(property, `${path}.`)];
  });
}
