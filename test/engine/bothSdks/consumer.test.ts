import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { checkTypes, programWithTypes } from "../../support/checkTypes.js";
import { useEngine } from "../../support/engineTest.js";
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
    const env = { ...process.env, ...engine.sandbox.envVars };
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
});
