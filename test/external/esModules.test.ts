import { rename } from "node:fs/promises";
import { join } from "node:path";
import { findBun } from "../../tools/external/packageManagers.js";
import {
  checkFunctionsAndSnapshots,
  functionsAndSnapshots,
  installStack,
} from "../support/installedStack.js";
import { expectNoChanges, useSnapshotStack } from "../support/snapshotStack.js";
import { toolOrSkip } from "../support/toolOrSkip.js";

describe("a program that is an ES module", () => {
  const stack = useSnapshotStack();
  const { NODE_OPTIONS: nodeOptions } = process.env;
  afterEach(() => {
    if (nodeOptions === undefined) delete process.env["NODE_OPTIONS"];
    else process.env["NODE_OPTIONS"] = nodeOptions;
  });

  it("works in TypeScript with tsx, and in JavaScript, with packages that Bun installed", async function () {
    const bun = await toolOrSkip(this, findBun);
    const program = `${functionsAndSnapshots}export const { domain } = await shop;\n`;
    const manifest = { type: "module", dependencies: { tsx: "4.23.15" } } as const;
    await installStack(stack, "es-module", bun, program, {}, manifest);
    process.env["NODE_OPTIONS"] = "--import=tsx";
    await checkFunctionsAndSnapshots(stack);

    const { directory } = stack.project;
    await rename(join(directory, "index.ts"), join(directory, "index.js"));
    delete process.env["NODE_OPTIONS"];
    await stack.succeed(...expectNoChanges);
  });
});
