import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { checkTypes, compilerOf, programWithTypes } from "../support/checkTypes.js";
import { useEngine } from "../support/engineTest.js";
import { run, tarballOf } from "../support/workbench.js";

describe("a project with its own TypeScript", () => {
  const engine = useEngine({ sandboxFor: "suite" });

  for (const [version, resolutions] of [
    ["4.9", ["node", "node16", "nodenext"]],
    ["5", ["node", "node10", "node16", "nodenext", "bundler"]],
    ["6", ["node", "node10", "node16", "nodenext", "bundler"]],
  ] as const) {
    it(`keeps TypeScript ${version}, and compiles with each moduleResolution`, async () => {
      const { directory } = await engine.workbench.empty(`typescript-${version}`);
      const install = (...packages: string[]) =>
        run("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", ...packages], {
          cwd: directory,
        });
      const manifest = join(directory, "package.json");
      await writeFile(manifest, JSON.stringify({ private: true }));
      await install(`typescript@${version}`, "@types/node@20");
      const typescriptOf = async () => {
        const { dependencies } = JSON.parse(await readFile(manifest, "utf8")) as {
          dependencies: Record<string, string>;
        };
        return [dependencies["typescript"], compilerOf(directory).version];
      };
      const before = await typescriptOf();
      assert.ok(before[1]?.startsWith(`${version}.`), before[1]);

      // Like the command in the README.
      await install(await tarballOf(engine.workbench));
      assert.deepEqual(await typescriptOf(), before);
      await writeFile(join(directory, "index.ts"), programWithTypes);
      for (const moduleResolution of resolutions) {
        const isOld = moduleResolution === "node" || moduleResolution === "node10";
        const module =
          moduleResolution === "bundler" ? "esnext" : isOld ? "commonjs" : moduleResolution;
        checkTypes(directory, directory, {
          module,
          moduleResolution,
          // TypeScript 6 compiles with these only if the project accepts the deprecation.
          ...(isOld && version === "6" && { ignoreDeprecations: "6.0" }),
        });
      }
    });
  }
});
