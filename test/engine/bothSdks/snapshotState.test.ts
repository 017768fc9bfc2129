import assert from "node:assert/strict";
import {
  expectNoChanges,
  laterClass,
  programImports,
  useEngine,
} from "../../support/engineTest.js";

describe("the state of snapshots on the real engine", () => {
  const engine = useEngine({ sandboxFor: "test" });

  it("keeps a project while the service is unreachable or rejects the recorded password, and deletes it when the service no longer has it", async () => {
    const stack = await engine.stack(
      "snapshot-state",
      `const added = { team: "shop", note: pulumi.secret("c4nary-note") };
pulumi.runtime.registerStackTransformation(({ type, props, opts }) =>
  /:Projects?Snapshot$/.test(type) ? { props: { ...props, ...added }, opts } : undefined,
);
new ProjectSnapshot("shop", { name: "shop", includeCredentials: true });
new ProjectsSnapshot("fleet", { fields: ["domain"], includeCredentials: true });
`,
    );
    await stack.up();
    const before = await stack.snapshots();
    engine.sandbox.isDown = true;
    assert.match(
      await stack.fail("refresh", "--yes"),
      /error: Preview failed: .* failed: no response from 127\.0\.0\.1:\d+ \(ECONNRESET\)\. Check (baseUrl|authUrl) and the network\./,
    );
    engine.sandbox.isDown = false;
    engine.sandbox.changePassword("an0ther-p4ssword-of-the-reader");
    await stack.configure(engine.sandbox);
    assert.match(
      await stack.fail("refresh", "--yes"),
      /the user name or the password was rejected \(401, invalid_grant\)\. Check username and password\..* run pulumi up --refresh=false\./,
    );
    assert.deepEqual(await stack.snapshots(), before);

    engine.environment().projectEnvironmentCode.webroot = "/srv/shop";
    Object.assign(engine.sandbox.projects[0]!, { domain: null });
    assert.match(await stack.refresh("--run-program"), /~ 2 updated/);
    await stack.succeed(...expectNoChanges);
    const state = await stack.state();
    assert.equal(state.match(/"team": *"shop"/g)?.length, 4, "a refresh keeps added inputs");
    assert.doesNotMatch(state, /c4nary-note/);

    engine.sandbox.projects = engine.sandbox.projects.slice(1);
    assert.match(await stack.refresh(), /- +pulumi-nodejs:\S+:ProjectSnapshot shop deleted/);
    assert.deepEqual((await stack.snapshots()).length, 1);
  });

  it("is known in a preview, also what the service omits, unless projectId is unknown or --target leaves it out", async () => {
    for (const project of engine.sandbox.projects.slice(0, 2)) {
      Object.assign(project, { codeRepository: null, domain: undefined });
    }
    const program = (later: string) => `${laterClass("p-3")}
new pulumi.Stash("wanted", { input: "1" });
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
const later = new Later("${later}");
const third = new ProjectSnapshot("third", { projectId: later.value });
export const values = [third.projectId, third.domain, third.codeRepository.name, third.service];
export const isUndefined = pulumi.all([third.domain, third.service, third.hasCode]).apply((all) => {
  if (all.includes(undefined as never)) throw new Error("an output is undefined");
  return all.length;
});
new pulumi.Stash("third", { input: third.environments.apply((all) => all?.[0].webroot ?? "none") });
const fleet = new ProjectsSnapshot("fleet");
export const lengths = [
  later.value.apply((value) => value.length),
  shop.environments.apply((environments) => environments[0].webroot.length),
  shop.codeRepository.apply((repository) => String(repository).length),
  fleet.projects.apply((projects) => Object.keys(projects).length),
];
`;
    /** Returns what a preview prints of the first two projects and their resources. */
    const ofKnown = (printed: string) =>
      printed
        .split("Outputs:")[0]!
        .split(/^ {4}(?=\S)/m)
        .filter((resource) => /::(shop|blog)\]/.test(resource))
        .join("");
    const stack = await engine.stack("snapshot-preview", program("first"));
    const wanted = "urn:pulumi:test::snapshot-preview::pulumi:index:Stash::wanted";
    assert.match(await stack.succeed("preview", "--target", wanted), /\+ [12] to create/);
    const planned = ofKnown(await stack.succeed("preview", "--diff"));
    assert.equal(planned.match(/domain *: "undefined"/g)?.length, 2);
    assert.doesNotMatch(planned, /\[unknown\]|output</);
    await stack.up();
    await stack.setProgram(programImports + program("second"));
    const changed = await stack.succeed("preview", "--diff");
    assert.doesNotMatch(ofKnown(changed), /\[unknown\]|output</);
    assert.doesNotMatch(changed, /"none"/);
  });
});
