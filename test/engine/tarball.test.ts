import assert from "node:assert/strict";
import { cp, mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { brokenLinks, documentPaths } from "../support/documents.js";
import { repository } from "../support/paths.js";
import { startSandbox } from "../support/testSandbox.js";
import { run, useWorkbench, type Workbench } from "../support/workbench.js";

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

/** Each ends with a slash if it is a folder. */
const places = [
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
  "skills/",
];

describe("the installed tarball", () => {
  let workbench: Workbench;
  let installed: string;
  before(async function () {
    workbench = await useWorkbench(this);
    installed = join(workbench.directory, "node_modules/pulumi-project-service");
  });

  it("contains the code, the documentation and the examples, and nothing else", async () => {
    const files = (await readdir(installed, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(installed.length + 1));
    const topFolders = /^(dist\/[^/]+|(?!sandbox)[^/]+)\/.*$/;
    assert.deepEqual(
      [...new Set(files.map((path) => path.replace(topFolders, "$1/")))].sort(),
      places,
    );
  });

  it("contains the target of every link in its documents", () => {
    for (const path of ["docs/reference.md", "skills/pulumi-project-service/SKILL.md"]) {
      assert.ok(documentPaths(installed).includes(path), path);
    }
    assert.deepEqual(brokenLinks(installed), []);
  });

  it("has examples without installed packages and without the config of stacks", async () => {
    const copy = join(dirname(workbench.directory), "packed-examples");
    for (const path of ["package.json", "examples/pipeline"]) {
      await cp(join(repository, path), join(copy, path), { recursive: true });
    }
    const folder = join(copy, "examples/pipeline");
    await mkdir(join(folder, "node_modules/axios"), { recursive: true });
    await writeFile(join(folder, "node_modules/axios/package.json"), "{}");
    await writeFile(join(folder, "Pulumi.dev.yaml"), "config: {}\n");
    const pack = ["pack", "--dry-run", "--json", "--ignore-scripts"];
    const { stdout } = await run("npm", pack, { cwd: copy });
    const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
    const packed = files.map(({ path }) => path);
    assert.ok(packed.includes("examples/pipeline/Pulumi.yaml"));
    const unwanted = packed.filter((path) => /node_modules|Pulumi\.dev\.yaml/.test(path));
    assert.deepEqual(unwanted, []);
  });

  for (const [what, file, program] of [
    [
      "CommonJS",
      "main.cjs",
      `const ${names} = require("pulumi-project-service");
const { startSandbox } = require("pulumi-project-service/sandbox");
(async () => {${body}})();`,
    ],
    [
      "ESM",
      "main.mjs",
      `import ${names} from "pulumi-project-service";
import { startSandbox } from "pulumi-project-service/sandbox";
${body}`,
    ],
  ] as const) {
    it(`runs in ${what}, and Node warns about nothing`, async () => {
      const sandbox = await startSandbox();
      await writeFile(join(workbench.directory, file), program);
      const env = { ...process.env, ...sandbox.envVars };
      const options = { cwd: workbench.directory, env };
      const { stdout, stderr } = await run(process.execPath, [file], options);
      await sandbox.close();
      assert.deepEqual([stdout.trim(), stderr], [printed, ""]);
    });
  }
});
