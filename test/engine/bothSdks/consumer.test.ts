import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { documentPaths } from "../../support/documents.js";
import { brokenLinks } from "../../support/brokenLinks.js";
import { checkTypes, programWithTypes } from "../../support/checkTypes.js";
import { useEngine } from "../../support/engineTest.js";
import { repository } from "../../support/paths.js";
import { run } from "../../support/workbench.js";

const body = `
const shop = await getProject({ name: "shop" });
const live = await getEnvironment({ name: "shop", environmentId: "live", includeCredentials: false });
const { projects } = await getProjects();
let code = "";
try {
  await getProject({ name: "nope" });
} catch (error) {
  if (error instanceof ProjectServiceError) code = error.code;
}
console.log(JSON.stringify([shop.projectId, live.webroot, projects.length, code, typeof startSandbox]));
`;
const printed = '["p-1","/var/www/shop/live/current/public",12,"NOT_FOUND","function"]';
const names = "{ getEnvironment, getProject, getProjects, ProjectServiceError }";

describe("the packed tarball", () => {
  const engine = useEngine({ sandboxFor: "suite" });

  async function folder(name: string, files: Record<string, string>): Promise<string> {
    const directory = join(engine.workbench.directory, name);
    await mkdir(directory);
    for (const [file, text] of Object.entries(files)) await writeFile(join(directory, file), text);
    return directory;
  }

  async function output(directory: string, file: string): Promise<string> {
    const env = { ...process.env, ...engine.sandbox.environment };
    const { stdout, stderr } = await run(process.execPath, [file], { cwd: directory, env });
    assert.equal(stderr, "", "Node warns about nothing");
    return stdout.trim();
  }

  it("runs in a CommonJS program", async () => {
    const directory = await folder("commonjs", {
      "main.cjs": `const ${names} = require("pulumi-project-service");
const { startSandbox } = require("pulumi-project-service/sandbox");
(async () => {${body}})();`,
    });
    assert.equal(await output(directory, "main.cjs"), printed);
  });

  it("runs in an ESM program", async () => {
    const directory = await folder("esm", {
      "main.mjs": `import ${names} from "pulumi-project-service";
import { startSandbox } from "pulumi-project-service/sandbox";
${body}`,
    });
    assert.equal(await output(directory, "main.mjs"), printed);
  });

  it("has types that compile", async () => {
    const directory = await folder("types", { "index.ts": programWithTypes });
    const options = { module: "nodenext", moduleResolution: "nodenext" };
    checkTypes(engine.workbench.directory, directory, options);
  });

  it("contains the code, the documentation and the examples, and nothing else", async () => {
    const { stdout } = await run("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
      cwd: repository,
    });
    const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
    const topFolders = /^(dist\/[^/]+|(?!sandbox)[^/]+)\/.*$/;
    const places = new Set(files.map(({ path }) => path.replace(topFolders, "$1/")));
    assert.deepEqual([...places].sort(), [
      "CHANGELOG.md",
      "CONTRIBUTING.md",
      "DESIGN.md",
      "LICENSE",
      "README.md",
      "SECURITY.md",
      "dist/audit/",
      "dist/command/",
      "dist/provider/",
      "dist/sandbox/",
      "dist/sdk/",
      "docs/",
      "examples/",
      "package.json",
      "sandbox/sampleProjects.json",
      "schemas/",
      "templates/",
    ]);
    const state = files.filter(({ path }) => /Pulumi\.[^/]+\.yaml$|\/node_modules\//.test(path));
    assert.deepEqual(state, []);
  });

  it("contains the target of every link in its documents", () => {
    const installed = join(engine.workbench.directory, "node_modules/pulumi-project-service");
    assert.ok(documentPaths(installed).includes("docs/reference.md"));
    assert.deepEqual(brokenLinks(installed), []);
  });
});
