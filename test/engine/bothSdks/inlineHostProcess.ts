/* Runs inline programs of the Automation API with the packages of the folder in which it starts. */
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { compileFunction } from "node:vm";
import type * as Pulumi from "@pulumi/pulumi";
import type * as Automation from "@pulumi/pulumi/automation/index.js";
import type * as ProjectService from "../../../sdk/index.js";
import type { InlineResult, InlineRun } from "./inlineHost.js";

const requireOfUser = createRequire(join(process.cwd(), "index.js"));
const pulumi = requireOfUser("@pulumi/pulumi") as typeof Pulumi;
const { LocalWorkspace, PulumiCommand } = requireOfUser(
  "@pulumi/pulumi/automation",
) as typeof Automation;
const projectService = requireOfUser("pulumi-project-service") as typeof ProjectService;

/*
 * The SDK never closes its connections to an engine that has ended. If a later engine gets its port, gRPC
 * takes the old connection and refuses the first call (UNAVAILABLE). The SDK ignores that error, does not
 * call the program, and the engine deletes all resources. So each client gets a connection of its own.
 */
const { grpcChannelOptions, grpcClientOptions = grpcChannelOptions } = requireOfUser(
  "@pulumi/pulumi/runtime/settings",
) as Record<string, object>;
Object.assign(grpcClientOptions as object, { "grpc.use_local_subchannel_pool": 1 });

const ownListeners = listenerCount();
let running = 0;

/** Loads the package again. Pulumi's SDK stays the same. */
function loadOtherCopy(): typeof ProjectService {
  const { cache } = requireOfUser;
  for (const file of Object.keys(cache)) {
    if (/[\\/]pulumi-project-service[\\/]dist[\\/](sdk|provider)[\\/]/.test(file))
      delete cache[file];
  }
  return requireOfUser("pulumi-project-service") as typeof ProjectService;
}

const command = PulumiCommand.get();
const stacks: Record<string, Promise<Automation.Stack>> = {};

/*
 * The SDK asks the CLI twice before an update and four times after it, which takes longer than the update itself.
 * So each stack is selected once, and nothing is asked later.
 */
async function selectStack(
  folder: string,
  environment: Record<string, string>,
): Promise<Automation.Stack> {
  const stack = await LocalWorkspace.selectStack(
    { stackName: "test", projectName: basename(folder), program: () => Promise.resolve() },
    { workDir: folder, envVars: environment, pulumiCommand: await command },
  );
  return Object.assign(stack, {
    outputs: () => Promise.resolve({}),
    info: () => Promise.resolve(),
  });
}

async function runProgram(run: InlineRun): Promise<InlineResult> {
  const { program, operation, folder, environment } = run;
  const stack = await (stacks[folder] ??= selectStack(folder, environment));
  const parameters = ["pulumi", "projectService", "loadOtherCopy"];
  type Compiled = (...values: unknown[]) => Record<string, unknown> | undefined;
  const compiled = compileFunction(program, parameters) as Compiled;
  stack.workspace.program = () =>
    Promise.resolve(compiled(pulumi, projectService, loadOtherCopy) as Record<string, unknown>);
  running++;
  let result: { failed: boolean; printed: string };
  try {
    const { stdout, stderr } = await stack[operation]();
    result = { failed: false, printed: stdout + stderr };
  } catch (error) {
    result = { failed: true, printed: (error as Error).message };
  }
  running--;
  return { ...result, leftListeners: running > 0 ? 0 : listenerCount() - ownListeners };
}

/** Pulumi listens during a run, and must not later: it would hide errors of the host. */
function listenerCount(): number {
  return process.listenerCount("unhandledRejection") + process.listenerCount("uncaughtException");
}

process.on("message", ({ id, run }: { id: number; run: InlineRun }) => {
  void runProgram(run).then((result) => process.send?.({ id, result }));
});
