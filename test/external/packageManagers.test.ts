import { findPnpm, findYarn } from "../../tools/external/packageManagers.js";
import {
  checkFunctionsAndSnapshots,
  functionsAndSnapshots,
  installStack,
} from "../support/installedStack.js";
import { useSnapshotStack } from "../support/snapshotStack.js";
import { toolOrSkip } from "../support/toolOrSkip.js";

/** The files that each package manager needs, as docs/reference.md says. */
const packageManagers = [
  ["pnpm", findPnpm, { "pnpm-workspace.yaml": "allowBuilds:\n  protobufjs: false\n" }],
  [
    "yarn",
    findYarn,
    // In CI, Yarn refuses to install without a lockfile.
    { ".yarnrc.yml": "nodeLinker: node-modules\nenableImmutableInstalls: false\n" },
  ],
] as const;

for (const [name, find, files] of packageManagers) {
  describe(`a program whose packages ${name} installed`, () => {
    const stack = useSnapshotStack();

    it("calls functions, records projects, refreshes them and finds no drift", async function () {
      const packageManager = await toolOrSkip(this, find);
      await installStack(stack, `with-${name}`, packageManager, functionsAndSnapshots, files);
      await checkFunctionsAndSnapshots(stack);
    });
  });
}
