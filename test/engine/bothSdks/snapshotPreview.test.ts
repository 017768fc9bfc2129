import assert from "node:assert/strict";
import { laterClass } from "../../support/engineTest.js";
import { expectNoChanges, snapshotImports, useSnapshotStack } from "../../support/snapshotStack.js";

describe("a snapshot in a preview on the real engine", () => {
  const stack = useSnapshotStack();

  it("knows in a preview that the service omits a field", async () => {
    for (const project of stack.sandbox.projects.slice(0, 2)) {
      Object.assign(project, { codeRepository: null, domain: undefined });
    }
    await stack.start(
      "snapshot-missing",
      `${snapshotImports}
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
`,
    );
    const planned = await stack.succeed("preview", "--diff");
    assert.match(planned, /domain *: "undefined"/);
    assert.doesNotMatch(planned, /\[unknown\]|output</);
    await stack.up();
    assert.doesNotMatch(await stack.succeed(...expectNoChanges), /\[unknown\]/);
  });

  it("knows no output in a preview if projectId is ignored and not known yet", async () => {
    const program = (name: string) => `${snapshotImports}${laterClass("p-1")}
const projectId = new Later("${name}").value;
const shop = new ProjectSnapshot("shop", { projectId }, { ignoreChanges: ["projectId"] });
export const values = [shop.projectId, shop.domain, shop.codeRepository.name, shop.service];
export const isUndefined = pulumi.all([shop.domain, shop.service, shop.hasCode]).apply((all) => {
  if (all.includes(undefined as never)) throw new Error("an output is undefined");
  return all.length;
});
new pulumi.Stash("webroot", { input: shop.environments.apply((all) => all?.[0].webroot ?? "none") });
`;
    await stack.start("snapshot-ignoring", program("first"));
    await stack.up();
    await stack.setProgram(program("second"));
    assert.doesNotMatch(await stack.succeed("preview", "--diff"), /"none"/);
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
