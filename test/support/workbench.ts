import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import type { ConfigMap, ConfigValue, PulumiCommand } from "@pulumi/pulumi/automation/index.js";
import type { Project as RecordedProject } from "../../provider/model/project.js";
import { readRecord } from "../../provider/snapshot/record.js";
import { findPulumi } from "../../tools/pulumi/pulumiCli.js";
import { LeakSearch, secretsOf } from "./leakSearch.js";
import type { Sandbox } from "./testSandbox.js";
import { toolOrSkip } from "./toolOrSkip.js";
import { backendIn, copyBlankStack, readState, writeConfig } from "./stackFiles.js";
import { blankStack, workbenchErrorVariable, workbenchVariable } from "./workbenchSetup.js";

export const run = promisify(execFile);

/** A resource in the state. */
export interface StateResource {
  readonly type: string;
  readonly urn: string;
  readonly id?: string;
  readonly outputs?: object;
}

/** The outputs of a ProjectsSnapshot in the state. */
interface RecordedFleet {
  readonly projects: Record<string, RecordedProject>;
  readonly inaccessible: object[];
  readonly credentials?: object;
}

/** What a command printed, and its exit code. */
export interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** The CLI that the first test file of this process found. */
let foundPulumi: Promise<PulumiCommand> | undefined;

/**
 * Returns the workbench that workbenchSetup.ts installed. Without a Pulumi CLI it skips the test;
 * in CI the run has then failed already.
 */
export async function useWorkbench(context: Mocha.Context): Promise<Workbench> {
  return toolOrSkip(context, async () => {
    const directory = process.env[workbenchVariable];
    if (directory === undefined) {
      throw new Error(
        process.env[workbenchErrorVariable] ??
          "There is no workbench: run mocha with --config .mocharc.engine.json",
      );
    }
    foundPulumi ??= findPulumi(() => {});
    return new Workbench(directory, await foundPulumi);
  });
}

type Source = { folder: string } | { program: string };

/** A user's folder: the packed tarball is installed, Pulumi projects are in subfolders. */
export class Workbench {
  constructor(
    readonly directory: string,
    readonly pulumi: PulumiCommand,
  ) {}

  /**
   * Makes a Pulumi project with a stack, from the files in a folder or from the text of an
   * index.ts. The project has its own backend, or shares the backend of `neighbour`. A Pulumi.yaml
   * in the folder sets the project's name; otherwise it is `name`.
   */
  async project(name: string, source: Source, neighbour?: Project): Promise<Project> {
    const directory = join(this.directory, name);
    await mkdir(directory);
    if ("folder" in source) await cp(source.folder, directory, { recursive: true });
    else await writeFile(join(directory, "index.ts"), source.program);
    const projectFile = join(directory, "Pulumi.yaml");
    if (!existsSync(projectFile)) await writeFile(projectFile, `name: ${name}\nruntime: nodejs\n`);

    const environment = neighbour?.environment ?? {
      ...(await backendIn(directory)),
      // Pulumi would check the types of each program, which takes 2 s. Other tests check types.
      PULUMI_NODEJS_TRANSPILE_ONLY: "true",
      PATH: pathTo(this.pulumi),
    };
    const blank = join(dirname(this.directory), blankStack);
    await copyBlankStack(blank, directory, environment);
    return new Project(directory, environment, blank, this.pulumi);
  }

  /** Makes another workbench without packages. */
  async empty(name: string): Promise<Workbench> {
    // Beside this workbench and not in it: Node also looks for packages in the folders above.
    const directory = join(dirname(this.directory), name);
    await mkdir(directory);
    return new Workbench(directory, this.pulumi);
  }

  /** Makes another workbench with the same packages. A test may remove packages from it. */
  async copy(name: string): Promise<Workbench> {
    const copy = await this.empty(name);
    const installed = join(this.directory, "node_modules");
    await mkdir(join(copy.directory, "node_modules"));
    for (const entry of await readdir(installed)) {
      await symlink(join(installed, entry), join(copy.directory, "node_modules", entry));
    }
    return copy;
  }
}

/**
 * A Pulumi project with the stack "test". Each command searches what it prints and the state for the secrets of the
 * sandboxes that were configured, those from before a rotation included.
 */
export class Project {
  private readonly config: ConfigMap = {};
  private readonly sandboxes = new Set<Sandbox>();
  private readonly secrets = new Set<string>();

  constructor(
    readonly directory: string,
    /** Environment in which a program finds the backend, and the Pulumi CLI on PATH. */
    readonly environment: Record<string, string>,
    private readonly blank: string,
    private readonly pulumi: PulumiCommand,
  ) {}

  /** Writes the sandbox's settings into the stack's config, secrets encrypted. */
  configure(
    sandbox: Sandbox,
    changes: Record<string, string> = {},
    namespace?: string,
  ): Promise<void> {
    this.sandboxes.add(sandbox);
    return this.setConfig(configOf({ ...sandbox.connection, ...changes }, namespace));
  }

  /** Adds values to the stack's config. `undefined` removes a value. */
  async setConfig(values: Record<string, ConfigValue | undefined>): Promise<void> {
    for (const [key, value] of Object.entries(values)) {
      if (value === undefined) delete this.config[key];
      else this.config[key] = value;
    }
    await writeConfig(this.blank, this.directory, this.config);
  }

  setProgram(text: string): Promise<void> {
    return writeFile(join(this.directory, "index.ts"), text);
  }

  /** Runs the Pulumi CLI; resolves whatever the exit code. */
  async cli(...args: string[]): Promise<CommandResult> {
    this.noteSecrets();
    const env = { ...process.env, ...this.environment };
    const options = { cwd: this.directory, env, maxBuffer: 256 * 1024 * 1024 };
    const all = [...args, "--stack", "test", "--non-interactive"];
    const result = await resultOf(run(this.pulumi.command, all, options));
    const stdout = withoutDots(result.stdout);
    if (this.noteSecrets() > 0) {
      const search = new LeakSearch([...this.secrets]);
      const isShown = args.some((arg) => ["--show-secrets", "--logtostderr"].includes(arg));
      const printed = stdout + result.stderr || "nothing";
      if (!isShown) search.text(`pulumi ${args.join(" ")}`, printed);
      search.text("the state", await this.state());
    }
    return { ...result, stdout };
  }

  /** Adds what the sandboxes have now. Returns how many secrets are known. */
  private noteSecrets(): number {
    for (const sandbox of this.sandboxes) {
      for (const secret of secretsOf(sandbox)) this.secrets.add(secret);
    }
    return this.secrets.size;
  }

  /** Runs the Pulumi CLI, which must succeed, and returns what it prints. */
  async succeed(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.cli(...args);
    assert.equal(code, 0, stdout + stderr);
    return stdout + stderr;
  }

  /** Runs the Pulumi CLI, which must fail, and returns what it prints. */
  async fail(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.cli(...args);
    assert.notEqual(code, 0, stdout + stderr);
    return stdout + stderr;
  }

  up(...args: string[]): Promise<string> {
    return this.succeed("up", "--yes", "--skip-preview", ...args);
  }

  failUp(...args: string[]): Promise<string> {
    return this.fail("up", "--yes", "--skip-preview", ...args);
  }

  refresh(...args: string[]): Promise<string> {
    return this.succeed("refresh", "--yes", "--skip-preview", ...args);
  }

  /** Returns the path and the text of each file in the backend, such as the state and its history. */
  async backendFiles(): Promise<(readonly [path: string, text: string])[]> {
    const folder = join(this.directory, ".state");
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const paths = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
    return Promise.all(paths.map(async (path) => [path, await readFile(path, "utf8")] as const));
  }

  /** Returns the text of the state. */
  state(): Promise<string> {
    return readState(this.directory, this.environment);
  }

  /** Returns the resources in the state. */
  async resources(): Promise<StateResource[]> {
    const { checkpoint } = JSON.parse(await this.state()) as {
      checkpoint: { latest?: { resources?: StateResource[] } };
    };
    return checkpoint.latest?.resources ?? [];
  }

  /** Returns the names of the resources of a type in the state, sorted. */
  async namesOf(type: string): Promise<string[]> {
    const found = (await this.resources()).filter((each) => each.type === type);
    return found.map(({ urn }) => urn.split("::").at(-1) as string).sort();
  }

  /** Returns the resources of both types of snapshots in the state. */
  async snapshots(): Promise<StateResource[]> {
    const resources = await this.resources();
    return resources.filter(({ type }) => /:Projects?Snapshot$/.test(type));
  }

  /** Returns the outputs of the ProjectsSnapshot "fleet" in the state, and reads the JSON texts of each record. */
  async recordedFleet(): Promise<RecordedFleet> {
    const found = (await this.snapshots()).find(({ urn }) => urn.endsWith("::fleet"));
    const outputs = (found?.outputs ?? assert.fail("There is no fleet")) as RecordedFleet;
    const read = ([id, record]: [string, unknown]) => [id, readRecord(id, record)] as const;
    return { ...outputs, projects: Object.fromEntries(Object.entries(outputs.projects).map(read)) };
  }

  /** Returns the outputs of the stack, decrypted. */
  async outputs(): Promise<Record<string, unknown>> {
    const printed = await this.succeed("stack", "output", "--json", "--show-secrets");
    return JSON.parse(printed) as Record<string, unknown>;
  }
}

const secretSettings = new Set(["password", "clientSecret", "headers"]);

/** Returns settings as a stack's config, in a namespace, with the secret ones marked as secret. */
export function configOf(
  settings: Readonly<Record<string, string>>,
  namespace = "project-service",
): ConfigMap {
  return Object.fromEntries(
    Object.entries(settings).map(([key, value]) => [
      `${namespace}:${key}`,
      { value, secret: secretSettings.has(key) },
    ]),
  );
}

/** Returns a PATH on which the Pulumi CLI comes first. */
export function pathTo({ command }: PulumiCommand): string {
  return dirname(command) + delimiter + process.env["PATH"];
}

/** Resolves for every exit code of a command. */
export async function resultOf(
  command: Promise<{ stdout: string; stderr: string }>,
): Promise<CommandResult> {
  try {
    return { code: 0, ...(await command) };
  } catch (error) {
    return error as CommandResult;
  }
}

/** Removes lines such as "@ previewing update....", which a slow command prints between the others. */
function withoutDots(stdout: string): string {
  return stdout.replace(/^@ \w+[ \w]*\.+\n/gm, "");
}
