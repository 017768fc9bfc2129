import { type Sandbox, startSandbox } from "../../sandbox/index.js";
import { credentialsIn } from "./secrets.js";
import { useWorkbench, type Workbench } from "./workbench.js";

/** The first lines of a program. */
export const programImports = `import * as pulumi from "@pulumi/pulumi";
import * as projectService from "pulumi-project-service";
`;

/** What a test needs to run programs on the real engine. */
export class EngineTest {
  workbench!: Workbench;
  /** Each test has its own. */
  sandbox!: Sandbox;

  /** Returns the passwords that a program can read. */
  secrets(): string[] {
    return [this.sandbox.connection.password, ...credentialsIn(this.sandbox.projects)];
  }
}

/** Prepares the workbench and the sandboxes for the tests of the surrounding suite. */
export function useEngine(): EngineTest {
  const engine = new EngineTest();
  before(async function () {
    engine.workbench = await useWorkbench(this);
  });
  beforeEach(async () => {
    engine.sandbox = await startSandbox();
  });
  afterEach(() => engine.sandbox?.close());
  return engine;
}
