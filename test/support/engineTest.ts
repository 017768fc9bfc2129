import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Sandbox, startSandbox } from "./testSandbox.js";
import { secretsOf } from "./leakSearch.js";
import { repository } from "./paths.js";
import { type Project, run, useWorkbench, type Workbench } from "./workbench.js";

/** The first lines of a program. */
export const programImports = `import * as pulumi from "@pulumi/pulumi";
import * as projectService from "pulumi-project-service";
`;

/** A class of a program: a resource whose output `value` is not known in a preview. */
export const laterClass = (value: string) => `
class Later extends pulumi.dynamic.Resource {
  declare readonly value: pulumi.Output<string>;
  constructor(name: string) {
    super({ create: async () => ({ id: name, outs: { value: "${value}" } }) }, name, { value: undefined });
  }
}
`;

/** What a test needs to run programs on the real engine. */
export class EngineTest {
  workbench!: Workbench;
  sandbox!: Sandbox;

  secrets(): string[] {
    return secretsOf(this.sandbox);
  }

  /** Returns the first database of the live environment of the project shop, to be changed in the sandbox. */
  liveDatabase() {
    const live = this.sandbox.projects[0]?.projectEnvironments[0];
    return live?.projectEnvironmentDatabases.databases[0] ?? assert.fail();
  }

  /** Makes the Pulumi project of an example. */
  example(name: string, neighbour?: Project, projectName = name): Promise<Project> {
    const folder = join(repository, "examples", name);
    return this.workbench.project(projectName, { folder }, neighbour);
  }
}

/**
 * Runs the commands in the README of an example, and stages all files.
 *
 * @returns what they print, and the text of the staged files.
 */
export async function followReadme(
  directory: string,
  env: NodeJS.ProcessEnv,
): Promise<{ printed: string; staged: string }> {
  const readme = await readFile(join(directory, "README.md"), "utf8");
  const commands = [...readme.matchAll(/^\$ (.*)$/gm)].map(([, command]) => command);
  const mark = "=== staged";
  // A deletion must not leave the index again.
  const stage = "git add --ignore-removal .";
  const script = ["git init -q", ...commands, stage, `echo "${mark}"`, "git grep --cached ''"];
  const { stdout } = await run("bash", ["-e", "-c", script.join("\n")], { cwd: directory, env });
  const [printed = "", staged = ""] = stdout.split(mark);
  assert.match(staged, /^index\.ts:/m);
  return { printed, staged };
}

/** Whether each test has a sandbox of its own, or the whole suite has one. */
export interface EngineOptions {
  readonly sandboxFor: "test" | "suite";
}

/** Prepares the workbench and a sandbox for the surrounding suite. */
export function useEngine(options: EngineOptions): EngineTest {
  return prepare(new EngineTest(), options);
}

export function prepare<T extends EngineTest>(engine: T, { sandboxFor }: EngineOptions): T {
  const [begin, end] = sandboxFor === "test" ? [beforeEach, afterEach] : [before, after];
  before(async function () {
    engine.workbench = await useWorkbench(this);
  });
  begin(async () => {
    engine.sandbox = await startSandbox();
  });
  end(() => engine.sandbox?.close());
  return engine;
}
