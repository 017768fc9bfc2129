import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathsOf, projectFields } from "../../provider/model/projectFields.js";
import { defaultNamespace, variableOf } from "../../provider/settings/foundSettings.js";
import { settingKeys, settingsTable } from "../../provider/settings/settingsTable.js";
import { readDocument } from "../support/documents.js";
import { codeSpans } from "../support/markdown.js";
import { repository } from "../support/paths.js";

const read = (path: string) => readDocument(repository, path);

describe("the reference", () => {
  it("of errors has each code once", () => {
    const source = readFileSync(join(repository, "provider/errors/projectServiceError.ts"), "utf8");
    const codes = [...source.matchAll(/^ {2}\| "([A-Z_]+)"/gm)].map(([, code]) => code as string);
    const documented = [...read("docs/reference.md").matchAll(/^- `([A-Z_]+)`: /gm)];
    assert.deepEqual(documented.map(([, code]) => code).toSorted(), codes.toSorted());
  });

  it("of settings has the variable of each, its default, and whether it is required or secret", () => {
    const document = read("docs/settings.md").replace(/ +/g, " ");
    const rows = [...document.matchAll(/^\| `(\w+)` \| `(PROJECT_SERVICE_\w+)` \| (.*) \|$/gm)];
    const documented = rows.map(([, key, variable, meaning = ""]) => {
      const [byDefault] = /(?<=; default )\d+/.exec(meaning) ?? [];
      const [required, secret] = [/required/, /\*\*secret/].map((word) => word.test(meaning));
      return { key, variable, byDefault, required, secret };
    });
    const settings = settingKeys.map((key) => {
      const { required = false, secret = false, default: byDefault } = settingsTable[key];
      const number = typeof byDefault === "number" ? String(byDefault) : undefined;
      const variable = variableOf(defaultNamespace, key);
      return { key, variable, byDefault: number, required, secret };
    });
    assert.deepEqual(documented, settings);
  });

  it("of commands has the help of each (npm run docs writes it)", () => {
    const [, helps = ""] = read("test/docs/api.txt").split(/^# commands\n/m);
    const sections = `# all\n${helps}`.split(/^# /m).slice(1);
    const written = sections.map((section) => {
      const [, name, help = ""] = /^(\w+)\n\n([^]*)/.exec(section) ?? [];
      return `## ${name}\n\n\`\`\`text\n${help.trimEnd()}\n\`\`\`\n`;
    });
    const title =
      "# Look up a command\n\nIn the folder of a program, start each command with `npx --no --`. Otherwise npm takes a first `--help` or `--version`.";
    assertDocument("docs/commands.md", [`${title}\n`, ...written].join("\n"));
  });

  it("of problems has messages that exist", () => {
    const sources = [...filesIn("provider"), ...filesIn("sdk"), ...filesIn("command")];
    const texts = [...sources, "node_modules/@pulumi/pulumi/output.js"].map(read).join("\n");
    const cells = [...read("docs/troubleshooting.md").matchAll(/^- (.*?): /gm)];
    const messages = cells.flatMap(([, cell = ""]) => codeSpans(cell));
    assert.ok(messages.length > 15, `${messages.length} messages`);
    const unknown = messages.filter((message) => !texts.includes(message));
    assert.deepEqual(unknown, []);
  });

  // The tests of readPipelineOutputs check the types: the package itself uses this schema.
  it("of pipeline outputs, a JSON schema, has each field but the credentials", () => {
    const schema = JSON.parse(read("schemas/pipeline-outputs.schema.json")) as {
      definitions: { project: Schema };
    };
    assert.deepEqual(pathsIn(schema.definitions.project).sort(), pathsOf(projectFields).sort());
  });
});

/** Compares a document with its generated text. `npm run docs` writes it. */
function assertDocument(path: string, written: string): void {
  if (process.env["UPDATE_DOCS"] === "1") writeFileSync(join(repository, path), written);
  assert.equal(read(path), written);
}

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
