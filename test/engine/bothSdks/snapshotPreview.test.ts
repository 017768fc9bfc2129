import assert from "node:assert/strict";
import { laterClass } from "../../support/engineTest.js";
import { snapshotImports, useSnapshotStack } from "../../support/snapshotStack.js";

describe("a snapshot in a preview on the real engine", () => {
  const stack = useSnapshotStack();

  it("knows that the service omits a field, and no output if projectId is not known yet", async () => {
    for (const project of stack.sandbox.projects.slice(0, 2)) {
      Object.assign(project, { codeRepository: null, domain: undefined });
    }
    const program = (later: string) => `${snapshotImports}${laterClass("p-3")}
const shop = new ProjectSnapshot("shop", { name: "shop" });
const blog = new ProjectSnapshot("blog", { projectId: "p-2" });
for (const [name, project] of Object.entries({ shop, blog })) {
  new pulumi.Stash(name, {
    input: {
      repository: project.codeRepository.apply((repository) => String(repository)),
      domain: project.domain.apply((domain) => String(domain)),
      credentials: project.credentials.apply((credentials) => String(credentials)),
      webroot: project.environments[0].webroot,
    },
  });
}
const projectId = new Later("${later}").value;
const third = new ProjectSnapshot("third", { projectId });
export const values = [third.projectId, third.domain, third.codeRepository.name, third.service];
export const isUndefined = pulumi.all([third.domain, third.service, third.hasCode]).apply((all) => {
  if (all.includes(undefined as never)) throw new Error("an output is undefined");
  return all.length;
});
new pulumi.Stash("third", { input: third.environments.apply((all) => all?.[0].webroot ?? "none") });
`;
    /** Returns what a preview prints of the first two projects and their resources. */
    const ofKnown = (printed: string) =>
      printed
        .split("Outputs:")[0]!
        .split(/^ {4}(?=\S)/m)
        .filter((resource) => /::(shop|blog)\]/.test(resource))
        .join("");
    await stack.start("snapshot-preview", program("first"));
    const planned = ofKnown(await stack.succeed("preview", "--diff"));
    assert.equal(planned.match(/domain *: "undefined"/g)?.length, 2);
    assert.doesNotMatch(planned, /\[unknown\]|output</);
    await stack.up();
    await stack.setProgram(program("second"));
    const changed = await stack.succeed("preview", "--diff");
    assert.doesNotMatch(ofKnown(changed), /\[unknown\]|output</);
    assert.doesNotMatch(changed, /"none"/);
  });

  it("has unknown outputs if the engine leaves it out of a preview, as another resource", async () => {
    await stack.start(
      "snapshot-left-out",
      `${snapshotImports}${laterClass("later")}
new pulumi.Stash("wanted", { input: "1" });
const later = new Later("later");
const shop = new ProjectSnapshot("shop", { name: "shop" });
const fleet = new ProjectsSnapshot("fleet");
export const lengths = [
  later.value.apply((value) => value.length),
  shop.environments.apply((environments) => environments[0].webroot.length),
  shop.codeRepository.name.apply((name) => name.length),
  fleet.projects.apply((projects) => Object.keys(projects).length),
];
`,
    );
    const urnOf = (type: string, name: string) =>
      `urn:pulumi:test::snapshot-left-out::${type}::${name}`;
    const wanted = urnOf("pulumi:index:Stash", "wanted");
    const shop = urnOf("pulumi-nodejs:dynamic/project-service:ProjectSnapshot", "shop");
    await stack.succeed("preview", "--exclude", shop);
    assert.match(await stack.succeed("preview", "--target", wanted), /\+ [12] to create/);
  });
});
