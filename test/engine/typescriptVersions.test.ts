import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { checkTypes, compilerOf, programWithTypes } from "../support/checkTypes.js";
import { useEngine } from "../support/engineTest.js";
import { repository } from "../support/paths.js";
import { run } from "../support/workbench.js";

/*
 * The oldest TypeScript and the newest one, with old and new ways to find modules. The tests of the packed
 * tarball compile with two versions and `nodenext`.
 */
describe("the types of the package", () => {
  const engine = useEngine({ sandboxFor: "suite" });
  let directory: string;
  before(async () => {
    // In the workbench, which has the packages of the program.
    directory = join(engine.workbench.directory, "typescript");
    await mkdir(directory);
    await writeFile(join(directory, "index.ts"), programWithTypes);
  });

  it("compile with TypeScript 4.9", async () => {
    const { directory: folder } = await engine.workbench.empty("typescript-4.9");
    const options = ["--no-audit", "--no-fund", "--loglevel=error"];
    await run("npm", ["install", ...options, "typescript@4.9"], { cwd: folder });
    const compiler = compilerOf(folder);
    for (const [module, moduleResolution] of [
      ["commonjs", "node"],
      ["node16", "node16"],
    ]) {
      checkTypes(engine.workbench.directory, directory, { module, moduleResolution }, compiler);
    }
  });

  it("compile with TypeScript 6", () => {
    const options = { module: "esnext", moduleResolution: "bundler" };
    checkTypes(engine.workbench.directory, directory, options);
  });

  it("compile in the examples with exactOptionalPropertyTypes", async () => {
    const folder = join(engine.workbench.directory, "exact");
    await cp(join(repository, "examples"), folder, {
      recursive: true,
      filter: (path) => !path.includes("node_modules"),
    });
    await writeFile(join(folder, "index.ts"), programWithTypes);
    checkTypes(engine.workbench.directory, folder, {
      module: "nodenext",
      exactOptionalPropertyTypes: true,
      resolveJsonModule: true,
      allowJs: true,
      noEmit: true,
      types: ["node", "mocha"],
    });
  });
});
