import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { repository } from "../support/paths.js";

const description = `  phpVersion: { kind: "text", from: "projectEnvironmentCode.phpVersion" },\n`;
const type = `  /** The version of PHP. */\n  phpVersion: string;\n`;

/** Uses the new field in every place that follows from its description. */
const program = `
const assert = require("node:assert/strict");
const { sandboxProject } = require("./dist/sandbox/index.js");
const { mapProject, withoutCredentials } = require("./dist/provider/wire/mapping.js");
const { validateProject } = require("./dist/provider/wire/validate.js");
const { compileFilters } = require("./dist/provider/model/selection.js");
const { auditedProject } = require("./dist/audit/rules/auditedProject.js");

const wire = (phpVersion) => sandboxProject({
  name: "shop", projectEnvironments: [{ projectEnvironmentCode: { phpVersion } }],
});
const map = (project) => mapProject(validateProject(project), withoutCredentials);
const shop = map(wire("8.4"));

assert.equal(wire().projectEnvironments[0].projectEnvironmentCode.phpVersion, "");
assert.equal(shop.environments[0].phpVersion, "8.4");
assert.deepEqual(map(wire(null)).environments[0].missingFields, ["phpVersion"]);
assert.throws(() => map(wire(8)), /projectEnvironmentCode.phpVersion must be a string/);
const filter = { key: "environments.phpVersion", values: ["8.4"] };
assert.equal(compileFilters([filter])(shop), true);
assert.equal(auditedProject(shop).environments[0].phpVersion, "8.4");
console.log("complete");
`;

describe("a new field of an environment", () => {
  let workbench: string;
  before(async () => {
    workbench = await mkdtemp(join(tmpdir(), "field-"));
  });
  after(() => rm(workbench, { recursive: true }));

  /** Returns the output of the compiler and of the program, in a copy with these new lines. */
  async function outputWith(name: string, lines: { description?: string; type?: string }) {
    const folder = join(workbench, name);
    for (const part of ["provider", "audit", "sandbox", "tools", "package.json"]) {
      await cp(join(repository, part), join(folder, part), { recursive: true });
    }
    for (const part of ["node_modules", "schemas"]) {
      await symlink(join(repository, part), join(folder, part));
    }
    const add = async (file: string, before: string, line = "") => {
      const text = await readFile(join(folder, file), "utf8");
      assert.ok(text.includes(before), file);
      await writeFile(
        join(folder, file),
        text.replace(before, () => line + before),
      );
    };
    await add("provider/model/fields.ts", "  deploymentsToKeep:", lines.description);
    await add("provider/model/project.ts", "  /** How many deployments are kept. */", lines.type);
    const config = JSON.parse(await readFile(join(repository, "tsconfig.json"), "utf8")) as object;
    await writeFile(
      join(folder, "tsconfig.json"),
      JSON.stringify({
        ...config,
        references: [],
        files: ["tools/generateValidators.ts"],
        include: ["provider", "sandbox", "audit/rules"],
      }),
    );
    await writeFile(join(folder, "program.cjs"), program);
    const commands = "npx tsc -p . && node dist/tools/generateValidators.js && node program.cjs";
    const { stdout } = await promisify(execFile)("sh", ["-c", `${commands} 2>&1 || true`], {
      cwd: folder,
    });
    return stdout;
  }

  it("is a line in the description of the fields and a line in its type", async () => {
    assert.equal(await outputWith("both", { description, type }), "complete\n");
  });

  it("is refused by the compiler with one of the two lines", async () => {
    for (const lines of [{ description }, { type }]) {
      const output = await outputWith(Object.keys(lines).join(), lines);
      assert.match(output, /fields\.ts.*error TS2344: Type 'false' does not satisfy/);
    }
  });
});
