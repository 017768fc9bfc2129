import assert from "node:assert/strict";
import { laterClass } from "../support/engineTest.js";
import {
  fleetProgram,
  snapshotImports,
  useSnapshotStack,
  expectNoChanges,
} from "../support/snapshotStack.js";

describe("what a ProjectsSnapshot records, on the real engine", () => {
  const stack = useSnapshotStack();

  it("records a part of the fleet: by filters, which may be secret or unknown", async () => {
    await stack.start(
      "fleet-scope",
      `${snapshotImports}${laterClass("TYPO3")}
const type = new Later("later").value;
const unknown = new ProjectsSnapshot("unknown", { filters: [{ key: "type", values: [type] }] });
const secret = new ProjectsSnapshot("secret", {
  filters: [{ key: "name", values: [new pulumi.Config().requireSecret("name")] }],
});
const name = new pulumi.Config().requireSecret("name");
new ProjectSnapshot("secret-name", { name });
const idsOf = ({ projects }: InstanceType<typeof ProjectsSnapshot>) => projects.apply(Object.keys);
export const ids = idsOf(unknown);
export const matching = idsOf(secret);
`,
    );
    const intranet = stack.sandbox.projects.find(({ name }) => name === "intranet")!;
    Object.assign(intranet, { domain: undefined });
    await stack.project.setConfig({ name: { value: "intranet", secret: true } });
    const planned = await stack.succeed("preview", "--diff");
    assert.doesNotMatch(planned, /intranet/);
    await stack.up();
    await stack.refresh();
    await stack.succeed(...expectNoChanges);
    const { ids, matching } = await stack.project.outputs();
    const projects = stack.sandbox.projects;
    const idsWith = (test: (project: (typeof projects)[number]) => boolean) =>
      projects.filter(test).map(({ _id }) => _id);
    assert.deepEqual((ids as string[]).sort(), idsWith(({ type }) => type === "TYPO3").sort());
    assert.deepEqual(matching, [intranet._id]);
    for (const resource of await stack.snapshots()) {
      if (/::secret/.test(resource.urn)) assert.doesNotMatch(JSON.stringify(resource), /intranet/);
    }
  });

  it("keeps no credentials when the program no longer asks for them", async () => {
    const program = (includeCredentials: boolean) =>
      fleetProgram(
        `includeCredentials: ${includeCredentials} as boolean`,
        "export const c = fleet.credentials.apply((all) => all && Object.keys(all).length);",
      );
    await stack.startWithThree("fleet-credentials", program(true));
    assert.equal((await stack.project.outputs())["c"], 3);
    await stack.setProgram(program(false));
    await stack.up();
    assert.equal((await stack.project.outputs())["c"], undefined);
    assert.equal("credentials" in (await stack.recorded()), false);
  });
});
