import assert from "node:assert/strict";
import { auditProject, builtInRules } from "../../audit/policies.js";
import { withoutCredentials } from "../../provider/wire/credentials.js";
import { mapProject } from "../../provider/wire/mapping.js";
import { validateProject } from "../../provider/wire/validate.js";
import { sandboxProject, type SandboxProjectFields } from "../../sandbox/index.js";

/** Reads a project as the package reads a response. */
const mapped = (fields: SandboxProjectFields) =>
  mapProject(validateProject(sandboxProject(fields)), withoutCredentials);

describe("sandboxProject", () => {
  it("makes of a name a project that has every field and that the built-in rules accept", () => {
    const project = mapped({ name: "shop" });
    assert.deepEqual(auditProject(project, builtInRules()), []);
    const [live] = project.environments;
    assert.deepEqual([project.missingFields, live?.missingFields], [[], []]);
    assert.deepEqual(
      [project.projectId, project.domain, project.codeRepository.sshRepoUrl],
      ["p-shop", "shop.example.com", "git@git.example.com:web/shop.git"],
    );
    assert.deepEqual(
      [live?.environmentId, live?.webroot, live?.databases.map(({ name }) => name)],
      ["live", "/var/www/shop/live/current/public", ["shop_live"]],
    );
    assert.equal(live?.assetGroups[0]?.symLinkId, live?.symLinks[0]?.id);
  });

  it("merges each element of a list into its template, and replaces other lists", () => {
    const given = {
      name: "Web Shop",
      projectEnvironments: [
        { environmentId: "stage", symLinks: [] },
        {
          projectEnvironmentCode: { latestDeploymentPaths: ["/srv/1"] },
          projectEnvironmentDatabases: { databases: [{ password: "p" }, { name: "sessions" }, {}] },
        },
      ],
    };
    const { projectEnvironments } = sandboxProject(given);
    const [stage, live] = projectEnvironments;
    assert.deepEqual(
      projectEnvironments.map(({ environmentId, order }) => [environmentId, order]),
      [
        ["stage", 0],
        ["live", 1],
      ],
    );
    assert.deepEqual(stage?.symLinks, []);
    assert.equal(stage.projectEnvironmentDatabases.databases.length, 1);
    assert.deepEqual(live?.projectEnvironmentCode.latestDeploymentPaths, ["/srv/1"]);
    const { databases } = live.projectEnvironmentDatabases;
    const names = databases.map(({ name }) => name);
    assert.deepEqual(names, ["web_shop_live", "sessions", "web_shop_3_live"]);
    assert.equal(new Set(databases.map(({ associationId }) => associationId)).size, 3);
    assert.equal(databases[0]?.password, "p");
    assert.deepEqual(mapped(given).missingFields, []);
  });

  it("returns equal copies for equal arguments, and other credentials for another project", () => {
    const first = sandboxProject({ name: "shop" });
    assert.deepEqual(sandboxProject({ name: "shop" }), first);
    const passwordOf = ({ projectEnvironments }: typeof first) =>
      projectEnvironments[0]?.projectEnvironmentDatabases.databases[0]?.password;
    assert.notEqual(passwordOf(first), passwordOf(sandboxProject({ name: "blog" })));
  });

  const one = (environment: object) => ({ name: "shop", projectEnvironments: [environment] });
  for (const [given, message] of [
    [{}, /needs a name/],
    [one({ webroot: "/srv" }), /^project\.projectEnvironments\[0\]\.webroot is not/],
    [one({ symLinks: {} }), /\[0\]\.symLinks must be a list/],
    [one({ symLinks: ["x"] }), /symLinks\[0\] must be an object/],
    [{ name: "x", codeRepository: null }, /^project\.codeRepository must be an object/],
  ] as [SandboxProjectFields, RegExp][]) {
    it(`refuses ${JSON.stringify(given)}`, () => {
      assert.throws(() => sandboxProject(given), { name: "TypeError", message });
    });
  }
});
