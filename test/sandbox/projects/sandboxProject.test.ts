import assert from "node:assert/strict";
import fc from "fast-check";
import { checkProject, houseRules } from "../../../audit/policies.js";
import { mapProject, withoutCredentials } from "../../../provider/wire/mapping.js";
import { validateProject } from "../../../provider/wire/validate.js";
import { sandboxProject, type SandboxProjectFields, startSandbox } from "../../../sandbox/index.js";
import { getDatabase, getProject } from "../../../sdk/index.js";

/** Reads a project as the package reads a response. */
const mapped = (fields: SandboxProjectFields) =>
  mapProject(validateProject(sandboxProject(fields)), withoutCredentials);

/** Returns the places of all fields that are undefined. */
function missingIn(value: unknown, place = ""): string[] {
  if (value === undefined) return [place];
  if (typeof value !== "object") return [];
  return Object.entries(value ?? {}).flatMap(([key, member]) =>
    missingIn(member, `${place}.${key}`),
  );
}

/** Asserts that everything in `part` is in `whole`. Elements of lists are compared by their index. */
function assertContains(whole: unknown, part: unknown): void {
  if (typeof part !== "object" || part === null) return assert.deepEqual(whole, part);
  if (Array.isArray(part)) assert.equal((whole as unknown[]).length, part.length);
  for (const [key, member] of Object.entries(part)) {
    if (member !== undefined) assertContains((whole as Record<string, unknown>)[key], member);
  }
}

const text = fc.string({ minLength: 1, maxLength: 8 });
const some = <T>(shape: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(shape, { requiredKeys: [] });
const environment = some({
  // A response with this id is not valid.
  environmentId: text.filter((id) => id !== "__proto__"),
  projectEnvironmentAssets: some({
    assetGroups: fc.array(some({ title: text.filter((title) => !title.includes("/")) })),
    deploymentTargetGroupId: text,
  }),
  projectEnvironmentCode: some({
    branch: some({ name: text, guarded: fc.boolean() }),
    webroot: text,
    initialized: fc.constantFrom(null, "2026-01-01"),
    deploymentsToKeep: fc.nat(5),
  }),
  projectEnvironmentDatabases: some({
    databases: fc.array(some({ name: text, password: fc.string(), allowedIP: fc.constant(null) })),
    initialized: fc.boolean(),
  }),
});
const fields = some({
  _id: text,
  status: fc.constantFrom("DEPLOYED", "AWAITING_INITIAL_DEPLOYMENT"),
  hasCode: fc.boolean(),
  hasDatabases: fc.boolean(),
  hasAssets: fc.boolean(),
  codeRepository: some({ gitHost: text, importRepository: fc.constant("https://x@example.net") }),
  projectEnvironments: fc.uniqueArray(environment, {
    maxLength: 6,
    selector: ({ environmentId }) => environmentId ?? Symbol(),
  }),
});

describe("sandboxProject", () => {
  it("makes of a name a project that has every field and that the house rules accept", () => {
    const project = mapped({ name: "shop" });
    assert.deepEqual(missingIn(project), []);
    assert.deepEqual(checkProject(project, houseRules()), []);
    const [live] = project.environments;
    assert.deepEqual(
      [project.projectId, project.domain, project.codeRepository.sshRepoUrl],
      ["p-shop", "shop.example.com", "git@git.example.com:web/shop.git"],
    );
    assert.deepEqual(
      [live?.environmentId, live?.webroot, live?.databases.map(({ name }) => name)],
      ["live", "/var/www/shop/live/current/public", ["shop_live"]],
    );
  });

  it("keeps every given field, and the package's own validation accepts the result", () => {
    const given = fc
      .record({ name: text, rest: fields })
      .map(({ name, rest }) => ({ name, ...rest }));
    fc.assert(
      fc.property(given, (project) => {
        assertContains(sandboxProject(project), project);
        const read = mapped(project);
        assert.deepEqual(missingIn(read), []);
        const broken = checkProject(read, houseRules()).filter(
          ({ rule }) => rule === "linked-assets",
        );
        assert.deepEqual(
          broken.filter(({ state }) => state === "violated"),
          [],
        );
      }),
    );
  });

  it("derives the other fields from the given ones", () => {
    const { codeRepository, hasAssets, hasDatabases, projectEnvironments } = sandboxProject({
      name: "Web Shop",
      codeRepository: { gitHost: "git.example.org", group: "retail" },
      projectEnvironments: [
        { environmentId: "stage", projectEnvironmentDatabases: { databases: [] } },
        {
          projectEnvironmentCode: { webroot: "/srv/web", deploymentsToKeep: 1 },
          projectEnvironmentDatabases: { databases: [{ password: "p" }, { name: "sessions" }, {}] },
          symLinks: [{ to: "/srv/files" }],
        },
        {
          projectEnvironmentCode: { initialized: null },
          projectEnvironmentAssets: { assetGroups: [] },
        },
      ],
    });
    assert.equal(codeRepository.sshrepoUrl, "git@git.example.org:retail/web-shop.git");
    assert.deepEqual([hasAssets, hasDatabases], [true, true]);
    const [stage, live, test] = projectEnvironments;
    assert.deepEqual(
      projectEnvironments.map(({ environmentId, order }) => [environmentId, order]),
      [
        ["stage", 0],
        ["live", 1],
        ["test", 2],
      ],
    );
    assert.equal(stage?.projectEnvironmentCode.branch.guarded, false);
    assert.deepEqual(
      live?.projectEnvironmentDatabases.databases.map(({ name }) => name),
      ["web_shop_live", "sessions", "web_shop_2_live"],
    );
    assert.deepEqual(live?.projectEnvironmentCode.latestDeploymentPaths, [
      "/var/www/web-shop/live/releases/20260302093000",
    ]);
    const [group] = live?.projectEnvironmentAssets.assetGroups ?? [];
    assert.deepEqual([group?.path, group?.title], ["/srv/files", "files"]);
    assert.equal(live?.symLinks[0]?.from, "/srv/web/files");
    assert.deepEqual([test?.projectEnvironmentCode.currentTag, test?.symLinks], ["", []]);
  });

  it("pairs asset groups and symlinks that name each other, and the others in their order", () => {
    const [live] = sandboxProject({
      name: "shop",
      projectEnvironments: [
        {
          projectEnvironmentAssets: {
            assetGroups: [{ id: "a" }, { id: "b" }, { id: "c", symLinkId: "to-c" }],
          },
          symLinks: [{ assetGroupId: "b" }, { id: "to-c" }, {}],
        },
      ],
    }).projectEnvironments;
    assert.deepEqual(
      live?.symLinks.map(({ assetGroupId }) => assetGroupId),
      ["b", "c", "a"],
    );
    assert.deepEqual(
      live?.projectEnvironmentAssets.assetGroups.map(({ symLinkId }) => symLinkId),
      [live?.symLinks[2]?.id, live?.symLinks[0]?.id, "to-c"],
    );
  });

  it("sorts environments by their order", () => {
    const { projectEnvironments } = sandboxProject({
      name: "shop",
      projectEnvironments: [{ environmentId: "late", order: 1 }, { environmentId: "early" }],
    });
    assert.deepEqual(
      projectEnvironments.map(({ environmentId, order }) => [environmentId, order]),
      [
        ["early", 0],
        ["late", 1],
      ],
    );
  });

  it("makes nothing initialized in a project that awaits its first deployment", () => {
    const { environments } = mapped({ name: "shop", status: "AWAITING_INITIAL_DEPLOYMENT" });
    assert.deepEqual(environments[0]?.initialized, { code: null, assets: null, databases: false });
    assert.deepEqual(environments[0]?.latestDeploymentPaths, []);
  });

  it("returns equal copies for equal arguments, and other credentials for another project", () => {
    const first = sandboxProject({ name: "shop" });
    const second = sandboxProject({ name: "shop" });
    assert.deepEqual(first, second);
    const passwordOf = (project: typeof first) =>
      project.projectEnvironments[0]?.projectEnvironmentDatabases.databases[0]?.password;
    assert.notEqual(passwordOf(first), passwordOf(sandboxProject({ name: "blog" })));
    first.projectEnvironments.pop();
    assert.equal(second.projectEnvironments.length, 1);
  });

  it("can be served and read", async () => {
    const databases = [{ password: "s3cret" }];
    const projectEnvironments = [{ projectEnvironmentDatabases: { databases } }];
    const shop = sandboxProject({ name: "Shop & Co", projectEnvironments });
    const sandbox = await startSandbox({ projects: [shop] });
    const opts = { connection: sandbox.connection };
    assert.equal((await getProject({ name: "Shop & Co" }, opts)).projectId, "p-Shop & Co");
    const key = { projectId: "p-Shop & Co", environmentId: "live" };
    assert.equal((await getDatabase(key, opts)).name, "shop_co_live");
    await sandbox.close();
  });

  const one = (environment: object) => ({ name: "shop", projectEnvironments: [environment] });
  const place = "project.projectEnvironments[0]";
  for (const [given, message] of [
    [{}, /^sandboxProject needs a name, such as/],
    [
      { name: "shop", environments: [] },
      /^project\.environments is not a field .* projectEnvironments\.$/,
    ],
    [one({ webroot: "/srv" }), `${place}.webroot is not a field`],
    [
      one({ projectEnvironmentCode: { branch: "main" } }),
      `${place}.projectEnvironmentCode.branch must be an object.`,
    ],
    [one({ symLinks: {} }), `${place}.symLinks must be a list.`],
    [one({ symLinks: ["x"] }), `${place}.symLinks[0] must be an object.`],
    [{ name: "shop", _id: "" }, "project._id must not be empty"],
    [
      { name: "shop", projectEnvironments: [{ environmentId: "a" }, { environmentId: "a" }] },
      "project.projectEnvironments[1].environmentId must differ from project.projectEnvironments[0].environmentId",
    ],
  ] as [SandboxProjectFields, string | RegExp][]) {
    it(`refuses ${JSON.stringify(given)}`, () => {
      assert.throws(
        () => sandboxProject(given),
        (error: Error) =>
          error instanceof TypeError &&
          (typeof message === "string"
            ? error.message.startsWith(message)
            : message.test(error.message)),
      );
    });
  }

  it("has types that know the fields, also in lists", () => {
    const check = (): void => {
      // @ts-expect-error -- the name is required
      sandboxProject({ status: "DEPLOYED" });
      // @ts-expect-error -- there is no such field
      sandboxProject({ name: "shop", projectEnvironments: [{ webroot: "/srv" }] });
      // @ts-expect-error -- the order is a number
      sandboxProject({ name: "shop", projectEnvironments: [{ order: "first" }] });
    };
    assert.ok(check);
  });
});
