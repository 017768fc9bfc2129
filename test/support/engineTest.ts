import { type Sandbox, startSandbox } from "../../sandbox/index.js";
import { secretsOf } from "./leakSearch.js";
import { useWorkbench, type Workbench } from "./workbench.js";

/** The first lines of a program. */
export const programImports = `import * as pulumi from "@pulumi/pulumi";
import * as projectService from "pulumi-project-service";
`;

/** What a test needs to run programs on the real engine. */
export class EngineTest {
  workbench!: Workbench;
  sandbox!: Sandbox;

  secrets(): string[] {
    return secretsOf(this.sandbox);
  }
}

/**
 * Prepares the workbench for the surrounding suite, and a sandbox: a new one for each test, or one for
 * the whole suite.
 */
export function useEngine({ sandboxFor }: { sandboxFor: "test" | "suite" }): EngineTest {
  const engine = new EngineTest();
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
