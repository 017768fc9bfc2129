import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { cp, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { useEngine } from "../support/engineTest.js";
import { repository } from "../support/paths.js";
import { backendIn } from "../support/stackFiles.js";
import { pathTo, run, tarballOf, useWorkbench } from "../support/workbench.js";

interface Manifest {
  name: string;
  version: string;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

const readManifest = async (folder: string) =>
  JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as Manifest;

describe("an example that was copied and installed", () => {
  const engine = useEngine({ sandboxFor: "suite" });
  /** Beside the workbench and not in it: Node also looks for packages in the folders above. */
  let directory: string;
  let installedExamples: string;
  let tarball: string;
  let environment: NodeJS.ProcessEnv;
  before(async () => {
    directory = join(dirname(engine.workbench.directory), "copied-examples");
    await mkdir(directory);
    tarball = await tarballOf(engine.workbench);
    installedExamples = join(
      engine.workbench.directory,
      "node_modules/pulumi-project-service/examples",
    );
    environment = {
      ...process.env,
      ...engine.sandbox.environment,
      ...(await backendIn(directory)),
      PATH: pathTo(engine.workbench.pulumi),
      PULUMI_STACK: "dev",
    };
  });

  const runIn = async (cwd: string, program: string, ...args: string[]) =>
    (await run(program, args, { cwd, env: environment })).stdout;

  const installations = new Map<string, string>();

  /**
   * Copies an example out of the installed tarball and installs its packages. That takes 10 s, so
   * examples that need the same packages share one installation. The others begin with a copy of the
   * first installation: npm then adds what is missing, and removes what the example does not name.
   */
  async function install(example: string): Promise<string> {
    const folder = join(directory, example);
    await cp(join(installedExamples, example), folder, { recursive: true });
    const { dependencies, devDependencies } = await readManifest(folder);
    const packages = JSON.stringify([dependencies, devDependencies]);
    const shared = installations.get(packages);
    if (shared === undefined) {
      const [first] = installations.values();
      if (first !== undefined) {
        cpSync(first, join(folder, "node_modules"), { recursive: true, verbatimSymlinks: true });
      }
      const ofThisPackage = "pulumi-project-service" in dependencies ? [tarball] : [];
      const options = ["--no-audit", "--no-fund", "--loglevel=error"];
      await runIn(folder, "npm", "install", ...options, ...ofThisPackage);
      installations.set(packages, join(folder, "node_modules"));
    } else {
      await symlink(shared, join(folder, "node_modules"), "junction");
    }
    return folder;
  }

  async function up(example: string, ...config: string[]): Promise<Record<string, unknown>> {
    const folder = await install(example);
    await runIn(folder, "pulumi", "stack", "init", "dev");
    const args = config.flatMap((setting) => ["--config", setting]);
    await runIn(folder, "pulumi", "up", "--yes", "--skip-preview", "--non-interactive", ...args);
    const outputs = await runIn(folder, "pulumi", "stack", "output", "--json");
    return JSON.parse(outputs) as Record<string, unknown>;
  }

  it("runs: quickstart", async () => {
    const { name, repository } = await up("quickstart");
    assert.deepEqual([name, repository], ["shop", "git@git.example.com:retail/shop.git"]);
  });

  it("runs: database-secret", async () => {
    const { webroot, content } = await up("database-secret", "project=shop", "database=shop_live");
    assert.deepEqual([webroot, content], ["/var/www/shop/live/current/public", "[secret]"]);
  });

  it("runs: pipeline, and then consumer with its outputs", async () => {
    const { project } = await up("pipeline", "project=shop");
    assert.equal((project as { domain: string }).domain, "shop.example.com");
    const { tag, password } = await up(
      "consumer",
      "hosting=organization/pipeline/dev",
      "database=shop_live",
    );
    assert.deepEqual([tag, password], ["v2.1.0", "[secret]"]);
  });

  it("runs: policy-pack, which checks the records of pipeline", async () => {
    const pack = await install("policy-pack");
    const preview = ["preview", "--policy-pack", pack, "--non-interactive"];
    await assert.rejects(runIn(join(directory, "pipeline"), "pulumi", ...preview), ({ stdout }) => {
      assert.match(stdout as string, /\[mandatory\] \[severity: high\] {2}restricted-databases/);
      return true;
    });
  });

  it("runs: audit, with a rule of its own that passes its test", async () => {
    const folder = await install("audit");
    assert.match(await runIn(folder, "npm", "test"), /^[#ℹ] pass 5$/m);
    const options = ["--rules", "house-rules.mjs", "--accepted", "accepted.json"];
    await assert.rejects(runIn(folder, "npx", "pulumi-project-service", "audit", ...options), {
      code: 1,
      stdout: /^relaunch \(p-12\) +live +tagged-releases +warning +unknown$/m,
    });
  });

  it("runs: unit-test, whose tests pass", async () => {
    const { folder, databaseUrl } = await up("unit-test", "project=blog");
    assert.deepEqual([folder, databaseUrl], ["/var/www/blog/live/current/public", "[secret]"]);
    assert.match(await runIn(join(directory, "unit-test"), "npm", "test"), /^ {2}5 passing /m);
  });

  it("runs: drift", async () => {
    assert.deepEqual(await up("drift"), { recorded: 12 });
    const looked = await runIn(join(directory, "drift"), "npx", "pulumi-project-service", "drift");
    assert.match(looked, /^No drift: 12 projects are as recorded\.$/m);
  });
});

describe("the examples and templates", () => {
  it("are complete: each Pulumi program has a package.json, a tsconfig.json and a project file", async () => {
    for (const folder of await programFolders()) {
      const files = await readdir(folder);
      if (basename(folder) === "audit") continue; // needs no program
      for (const name of ["index.ts", "package.json", "tsconfig.json"]) {
        assert.ok(files.includes(name), `${folder} has no ${name}`);
      }
      assert.ok(
        files.some((name) => ["Pulumi.yaml", "PulumiPolicy.yaml"].includes(name)),
        folder,
      );
    }
  });

  it("ask for this version of the package and for the same versions of the other packages", async () => {
    const { version } = await readManifest(repository);
    const expected: Record<string, string> = {
      "@pulumi/pulumi": "^3.216.0",
      "pulumi-project-service": `^${version}`,
      "@types/node": "^20.0.0",
      typescript: ">=5.9.0 <7",
      "@pulumi/policy": "^1.21.0",
      mocha: ">=11.0.0",
      "@types/mocha": "^10.0.0",
    };
    for (const folder of await programFolders()) {
      const { dependencies, devDependencies } = await readManifest(folder);
      for (const [name, range] of Object.entries({ ...dependencies, ...devDependencies })) {
        assert.equal(range, expected[name], `${name} of ${folder}`);
      }
    }
  });

  it("select nothing by its position in a list, which can change", async () => {
    for (const folder of await programFolders()) {
      const files = (await readdir(folder)).filter((file) => /\.(ts|mjs)$/.test(file));
      for (const file of files) {
        const program = await readFile(join(folder, file), "utf8");
        assert.doesNotMatch(program, /(databases|environments|projects|live)\[\d/, file);
      }
    }
  });

  it("are packed without installed packages and without the config of stacks", async function () {
    const { directory } = await useWorkbench(this);
    const copy = join(dirname(directory), "packed-examples");
    for (const path of ["package.json", "examples/pipeline", "templates"]) {
      await cp(join(repository, path), join(copy, path), { recursive: true });
    }
    for (const folder of await programFoldersIn(copy)) {
      await mkdir(join(folder, "node_modules/axios"), { recursive: true });
      await writeFile(join(folder, "node_modules/axios/package.json"), "{}");
      await writeFile(join(folder, "Pulumi.dev.yaml"), "config: {}\n");
    }
    const { stdout } = await run("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
      cwd: copy,
    });
    const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
    const packed = files.map(({ path }) => path);
    assert.ok(packed.includes("examples/pipeline/Pulumi.yaml"));
    assert.ok(packed.includes("templates/project-service-typescript/Pulumi.yaml"));
    assert.deepEqual(
      packed.filter((path) => /node_modules|Pulumi\.dev\.yaml/.test(path)),
      [],
    );
  });
});

const programFolders = () => programFoldersIn(repository);

/** Returns the folders in examples/ and templates/. */
async function programFoldersIn(root: string): Promise<string[]> {
  const folders = await Promise.all(
    ["examples", "templates"].map(async (parent) => {
      const entries = await readdir(join(root, parent), { withFileTypes: true });
      return entries
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => join(root, parent, name));
    }),
  );
  return folders.flat();
}
