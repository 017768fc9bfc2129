import assert from "node:assert/strict";
import {
  checkProject,
  checkProjects,
  guardedProductionBranch,
  initializedEnvironments,
  keptDeployments,
  restrictedDatabases,
  type Rule,
  unsharedDatabases,
  webrootLocation,
} from "../../../audit/policies.js";

/** Returns a project with the environment live. */
const shopWith = (environment: object, fields: object = {}) => ({
  projectId: "p-1",
  name: "shop",
  environments: [{ environmentId: "live", ...environment }],
  ...fields,
});

/** Returns what a rule finds in a project: each time the environment, or `-` for the project, and the state. */
function statesIn(rule: Rule, environment: object, fields?: object): string[] {
  return checkProject(shopWith(environment, fields), [rule]).map(
    ({ environmentId = "-", state }) => `${environmentId} ${state}`,
  );
}

type Case = readonly [
  title: string,
  environment: object,
  project: object,
  expected: readonly string[],
  rule?: Rule,
];

function itFinds(rule: Rule, cases: readonly Case[]): void {
  for (const [title, environment, project, expected, changed = rule] of cases) {
    it(`finds ${expected.join() || "nothing"}: ${title}`, () => {
      assert.deepEqual(statesIn(changed, environment, project), expected);
    });
  }
}

const [guarded, unguarded] = [true, false].map((guarded) => ({ branch: { name: "a", guarded } }));
const noCode = { hasCode: false };
const stage = { environmentId: "stage" };
const live = { environments: ["live"] };

describe("guardedProductionBranch", () => {
  const strict = guardedProductionBranch({ environments: ["live", "stage"] });
  itFinds(guardedProductionBranch(), [
    ["a guarded branch", guarded!, {}, []],
    ["an unguarded branch", unguarded!, {}, ["live violated"]],
    ["an unguarded branch of another environment", { ...unguarded, ...stage }, {}, []],
    ["a named environment", { ...unguarded, ...stage }, {}, ["stage violated"], strict],
    ["no guarded", { branch: { name: "a" } }, {}, ["live unknown"]],
    ["no branch", {}, {}, ["live unknown"]],
    ["no branch without code", {}, noCode, []],
  ]);
});

describe("keptDeployments", () => {
  const four = keptDeployments({ minimum: 4 });
  itFinds(keptDeployments(), [
    ["the minimum", { deploymentsToKeep: 3 }, {}, []],
    ["fewer than the option minimum", { deploymentsToKeep: 3 }, {}, ["live violated"], four],
    ["none", { deploymentsToKeep: 0 }, { hasCode: true }, ["live violated"]],
    ["no value", {}, {}, ["live unknown"]],
    ["none without code", { deploymentsToKeep: 0 }, noCode, []],
    ["no value without code", {}, noCode, []],
    ["1 without code", { deploymentsToKeep: 1 }, noCode, ["live violated"]],
    ["another environment", { ...stage, deploymentsToKeep: 1 }, {}, [], keptDeployments(live)],
  ]);
});

describe("initializedEnvironments", () => {
  const initialized = { code: "2030-01-01", assets: "2030-01-01", databases: true };
  const complete = { branch: {}, assetGroups: [], databases: [], initialized };
  const listed = { databases: [{ name: "a" }] };
  /** Returns an environment with a part that is not initialized. */
  const without = (part: object, fields: object = {}) => ({
    ...{ ...complete, ...fields },
    initialized: { ...initialized, ...part },
  });
  const noCodeYet = without({ code: null });
  const noDatabaseYet = without({ databases: false });
  const noDatabases = { status: "LIVE", hasDatabases: false };
  itFinds(initializedEnvironments(), [
    ["all parts", complete, noDatabases, []],
    [
      "code by hasCode",
      { initialized: { ...initialized, code: null } },
      { ...noDatabases, hasCode: true },
      ["live violated"],
    ],
    ["code", noCodeYet, noDatabases, ["live violated"]],
    [
      "code and assets",
      without({ code: null, assets: false }, { assetGroups: [{ id: "a" }] }),
      noDatabases,
      ["live violated", "live violated"],
    ],
    ["a listed database", without({ databases: false }, listed), noDatabases, ["live violated"]],
    ["no database", noDatabaseYet, noDatabases, []],
    [
      "a database by hasDatabases",
      noDatabaseYet,
      { ...noDatabases, hasDatabases: true },
      ["live violated"],
    ],
    ["no database and no hasDatabases", noDatabaseYet, { status: "LIVE" }, ["live unknown"]],
    ["no initialized", { ...complete, initialized: {} }, noDatabases, ["live unknown"]],
    ["a project before its first deployment", {}, { status: "AWAITING_INITIAL_DEPLOYMENT" }, []],
    ["no status", noCodeYet, { hasDatabases: false }, ["live unknown"]],
    [
      "code, and no initialized of databases",
      { ...complete, initialized: { code: null, assets: null }, ...listed },
      noDatabases,
      ["live violated", "live unknown"],
    ],
  ]);
});

describe("restrictedDatabases", () => {
  /** Returns the findings about a database. */
  function findingsOf(allowedIP: unknown, fields: object = {}) {
    const databases = [{ name: "shop_live", associationId: 5, allowedIP, ...fields }];
    return checkProject(shopWith({ databases }), [restrictedDatabases()]);
  }

  for (const [state, values] of [
    [
      "violated",
      [
        null,
        ...["0.0.0.0/0", "::/0", "0.0.0.0", "::", "%", "*", "10.0.0.0/0", "0:0:0::/0"],
        ...["10.0.0.1, 0.0.0.0/0", "10.0.0.1 %"],
        ["192.0.2.7", "0.0.0.0/0"],
        ["192.0.2.7,*"],
        [{ any: true }, "::/0"],
      ],
    ],
    [
      "followed",
      [
        ...["192.0.2.7", "10.0.0.0/8", "2001:db8::1", "2001:db8::/32", "192.0.2.7/32"],
        ...["192.0.2.7, 192.0.2.8 2001:db8::1", "fe80::1%eth0"],
        ["192.0.2.7", "10.0.0.0/8"],
        ["0.0.0.0/2", "128.0.0.0/1", "8000::/1"],
      ],
    ],
    [
      "unknown",
      [
        ...[
          "",
          "192.168.%",
          "localhost",
          "10.0.0.0/255.255.255.0",
          "10.0.0.0/33",
          "10.0.0",
          "1.2.3.4/",
        ],
        ...[[], [[]], ["192.0.2.7", "office"], [7], { range: "10.0.0.0/8" }, true, undefined],
      ],
    ],
  ] as const) {
    for (const allowedIP of values) {
      it(`is ${state} with ${JSON.stringify(allowedIP)}`, () => {
        const states = findingsOf(allowedIP).map((finding) => finding.state);
        assert.deepEqual(states, state === "followed" ? [] : [state]);
      });
    }
  }

  it("shows a pattern of addresses, which is part of the subject, and no other value", () => {
    const [pattern] = findingsOf("192.168.%");
    assert.equal(pattern?.subject, "database shop_live (associationId 5), allowedIP 192.168.%");
    for (const secret of ["canary-of-allowed-ip", { note: "canary-of-allowed-ip" }]) {
      assert.doesNotMatch(JSON.stringify(findingsOf(secret)), /canary/);
    }
  });

  it("has a subject that changes with the allowedIP, and not with its order", () => {
    const subjectOf = (allowedIP: unknown) => findingsOf(allowedIP)[0]?.subject;
    for (const equal of [["10.%", "192.168.%"], ["192.168.%", "10.%", "10.%"], "192.168.% 10.%"]) {
      assert.match(subjectOf(equal) ?? "", /, allowedIP 10\.%, 192\.168\.%$/);
    }
    assert.match(subjectOf("localhost") ?? "", /, allowedIP with the SHA-256 [\da-f]{12}$/);
    assert.equal(subjectOf(["office", "localhost"]), subjectOf("localhost office"));
    const different = ["localhost", ["localhost", "office"], { public: true }, {}, [], [7], ["7x"]];
    assert.equal(new Set(different.map(subjectOf)).size, different.length);
  });

  it("still finds an open database if others lack the field, and an open one without a name", () => {
    const databases = [{ name: "a" }, { name: "b", allowedIP: null }, { allowedIP: "%" }];
    const found = checkProject(shopWith({ databases }), [restrictedDatabases()]);
    assert.deepEqual(
      found.map(({ state, subject }) => `${state} ${subject}`),
      ["violated database b", "violated database (none)", "unknown missing databases[a].allowedIP"],
    );
  });

  it("has a finding for each database, and subjects that tell those with one name apart", () => {
    // The service may list a database twice.
    const databases = [7, 8, undefined, undefined].map((associationId) => ({
      ...{ name: "a b", associationId, allowedIP: null },
    }));
    const found = checkProject(shopWith({ databases }), [restrictedDatabases()]);
    assert.deepEqual(
      found.map(({ subject }) => subject),
      ['database "a b" (associationId 7)', 'database "a b" (associationId 8)', 'database "a b"'],
    );
  });
});

describe("a rule about databases", () => {
  const all = [restrictedDatabases, unsharedDatabases];
  for (const [databases, hasDatabases, expected] of [
    [undefined, undefined, "live missing databases, hasDatabases"],
    [undefined, true, "live missing databases"],
    [undefined, false, ""],
    [[], undefined, "- missing hasDatabases"],
    [[], true, "- databases"],
    [[], false, ""],
  ] as const) {
    it(`is ${expected === "" ? "followed" : "unknown"} if databases are ${JSON.stringify(databases)} and hasDatabases is ${hasDatabases}`, () => {
      for (const create of all) {
        const found = checkProject(shopWith({ databases }, { hasDatabases }), [create()]);
        const texts = found.map(
          ({ environmentId = "-", subject }) => `${environmentId} ${subject}`,
        );
        assert.equal(texts.join(), expected);
        assert.ok(found.every(({ state }) => state === "unknown"));
      }
    });
  }

  it("checks nothing if the project has none of the environments, or no databases", () => {
    const environment = { ...stage, databases: [{ allowedIP: null }] };
    for (const create of all) {
      assert.deepEqual(statesIn(create(live), environment), []);
      assert.deepEqual(statesIn(create(live), { databases: [] }, { hasDatabases: false }), []);
    }
  });
});

describe("webrootLocation", () => {
  const folders = ["/var/www/", "/srv/www", "/var/www/shared", "/var/www/a/b"];
  const [outside, shared] = [
    "is not in an allowed folder",
    "is or contains an allowed folder, which all projects share",
  ];
  for (const [webroot, problem] of [
    ["/var/www/shop", undefined],
    ["/var//www/./shop/", undefined],
    ["/srv/www/shop", undefined],
    ["/var/www/shared/shop", undefined],
    ["/var/www/shop/.github", undefined],
    ["/var/www/shop/.git", "is in a folder .git"],
    ["/var/www/shop/.git/hooks", "is in a folder .git"],
    ["/var/www", shared],
    ["/srv/www/", shared],
    ["/var/www/shared", shared],
    ["/var/www/shared/", shared],
    ["/var/www/a", shared],
    ["/var/www-evil/shop", outside],
    ["var/www/shop", outside],
    ["/", outside],
    ["/var/www/../../etc", "has .. in its path"],
  ] as const) {
    it(`${problem === undefined ? "accepts" : "does not accept"} the webroot ${webroot}`, () => {
      const found = checkProject(shopWith({ webroot }), [webrootLocation({ folders })]);
      const messages = found.map(({ state, message }) => `${state}: ${message}`);
      const expected = problem ? [`violated: The webroot ${webroot} ${problem}.`] : [];
      assert.deepEqual(messages, expected);
    });
  }

  itFinds(webrootLocation(), [
    ["an empty webroot", { webroot: "" }, {}, ["live unknown"]],
    ["no webroot", {}, {}, ["live unknown"]],
    ["no webroot without code", {}, noCode, []],
    ["another environment", { ...stage, webroot: "/tmp" }, {}, [], webrootLocation(live)],
  ]);
});

/** Returns a project with the environments of the test. */
const projectOf = (name: string, ...environments: object[]) => ({
  projectId: `id-${name}`,
  name,
  environments: environments.map((each, index) => ({
    environmentId: ["live", "stage", "test"][index],
    ...each,
  })),
});

/** Returns what a rule finds in projects, sorted: project, environment, state and subject. */
function foundIn(rule: Rule, projects: readonly ReturnType<typeof projectOf>[]): string[] {
  return checkProjects(projects, [rule])
    .map(({ projectId, environmentId = "-", state, subject }) =>
      [projectId, environmentId, state, subject].join(" "),
    )
    .sort();
}

describe("webrootLocation of several projects", () => {
  const webroot = (path: string, group: string | null = "web-1") => ({
    webroot: path,
    deploymentTargetGroupIds: { code: group },
  });
  const web = (name: string, path: string, group?: string | null) =>
    projectOf(name, webroot(path, group));
  const blog = web("blog", "/var/www/blog/public");
  const inBlog = "/var/www/blog/public/shop";
  const rule = webrootLocation({ folders: ["/var/www", "/srv"] });

  for (const [title, projects, expected] of [
    [
      "one in another",
      [blog, web("shop", inBlog)],
      ["id-blog live violated", "id-shop live violated"],
    ],
    [
      "equal ones",
      [blog, web("shop", "/var/www//blog/public/")],
      ["id-blog live violated", "id-shop live violated"],
    ],
    ["longer names", [blog, web("shop", "/var/www/blog/public-2")], []],
    ["another server", [blog, web("shop", inBlog, "web-2")], []],
    ["a server that the service omits", [blog, web("shop", inBlog, null)], ["id-shop - unknown"]],
    ["an omitted server of another webroot", [blog, web("shop", "/var/www/shop", null)], []],
    [
      "environments of one project",
      [projectOf("a", webroot("/srv/x"), webroot("/srv/x"))],
      ["id-a live violated", "id-a stage violated"],
    ],
    [
      "two in a third one",
      ["/srv/x", "/srv/x/b", "/srv/x/c"].map((path) => web(path.slice(-1), path)),
      ["id-b live violated", "id-c live violated", "id-x live violated"],
    ],
    // The webroots x/b and x/c do not overlap, so the finding of x/b is about x in its own project.
    [
      "two in a third one of one project",
      [projectOf("a", webroot("/srv/x"), webroot("/srv/x/b")), web("c", "/srv/x/c")],
      ["id-a live violated", "id-a live violated", "id-a stage violated", "id-c live violated"],
    ],
  ] as const) {
    it(`compares ${title}`, () => {
      const states = (some: typeof projects) =>
        foundIn(rule, some).map((text) => text.split(" ").slice(0, 3).join(" "));
      assert.deepEqual(states(projects), expected);
      assert.deepEqual(states([...projects].reverse()), expected);
    });
  }

  it("compares absolute webroots without .., whether their folder is allowed or not", () => {
    const overlapping = (...paths: string[]) =>
      foundIn(
        webrootLocation(),
        paths.map((path, index) => web(`${index}`, path)),
      ).filter((text) => text.includes(" in "));
    assert.equal(overlapping("/srv/x/.git", "/srv/x/.git").length, 2);
    assert.equal(overlapping("/", "//", "/var/www/c").length, 3);
    assert.equal(overlapping("var/x", "var/x").length, 0);
    assert.equal(overlapping("/var/www/../x", "/var/www/../x").length, 0);
  });

  it("has subjects with both webroots and everybody who overlaps", () => {
    const both = "shared by /srv/x of id-a live, /srv/x/y of id-c live";
    assert.deepEqual(foundIn(rule, [web("a", "/srv/x/"), web("c", "/srv/x/y")]), [
      `id-a live violated webroot /srv/x in /srv/x, ${both}`,
      `id-c live violated webroot /srv/x/y in /srv/x, ${both}`,
    ]);
  });

  it("names the first neighbors in its message", () => {
    const messageOf = (...names: string[]) =>
      checkProjects(
        names.map((name) => web(name, "/srv/x")),
        [rule],
      )[0]?.message;
    assert.equal(messageOf("b", "c"), "The webroot /srv/x overlaps with /srv/x of id-c live.");
    assert.equal(
      messageOf("b", "h", "g", "f", "e", "d", "c"),
      `The webroot /srv/x overlaps with ${["c", "d", "e", "f", "g"].map((name) => `/srv/x of id-${name} live`).join(", ")} and 1 more.`,
    );
  });
});

describe("unsharedDatabases", () => {
  const rule = unsharedDatabases();
  const database = (name: string, databases: string | null = "g", databaseType = "MYSQL") => ({
    databases: [{ name, databaseType }],
    deploymentTargetGroupIds: { databases },
  });
  const blog = projectOf("blog", database("a"));
  const shop = (...values: Parameters<typeof database>) => projectOf("shop", database(...values));
  const missing = "missing environments[live].deploymentTargetGroupIds.databases";
  const subject = "database a, MYSQL in g, shared by";

  for (const [title, projects, expected] of [
    [
      "projects",
      [blog, shop("a")],
      ["blog live", "shop live"].map(
        (name) => `id-${name} violated ${subject} id-blog live, id-shop live`,
      ),
    ],
    [
      "environments of one project",
      [projectOf("a", database("a"), database("a"))],
      ["live", "stage"].map((name) => `id-a ${name} violated ${subject} id-a live, id-a stage`),
    ],
    ["names", [blog, shop("A")], []],
    ["deployment target groups", [blog, shop("a", "h")], []],
    ["types", [blog, shop("a", "g", "REDIS")], []],
    ["a group that the service omits", [blog, shop("a", null)], [`id-shop - unknown ${missing}`]],
    [
      "environments whose group the service omits, so that they may share nothing",
      [projectOf("a", database("a", null), database("a", null))],
      [
        `id-a - unknown ${missing}, ${missing.slice(8).replace("live", "stage")}; ${["", ""].map(() => "database a, MYSQL in (none), shared by id-a live, id-a stage").join("; ")}`,
      ],
    ],
    [
      "environments that share one, whatever another one lacks",
      [projectOf("a", database("a"), database("a"), database("a", null))],
      [
        `id-a - unknown ${missing.replace("live", "test")}`,
        ...["live", "stage"].map(
          (name) => `id-a ${name} violated ${subject} id-a live, id-a stage`,
        ),
      ],
    ],
    [
      "a database with an empty name",
      [projectOf("a", { databases: [{ name: "" }] })],
      ["id-a live unknown databases"],
    ],
    [
      "a database without a name",
      [projectOf("a", { databases: [{ databaseType: "MYSQL" }] })],
      ["id-a live unknown missing databases[0].name"],
    ],
  ] as const) {
    it(`compares ${title}`, () => {
      assert.deepEqual(foundIn(rule, projects), expected);
      assert.deepEqual(foundIn(rule, [...projects].reverse()), expected);
    });
  }

  it("has another subject for another user of the database", () => {
    const [own, b, c] = [projectOf("a", database("a"), database("a")), blog, shop("a")];
    const subjectsOfLive = (...others: (typeof blog)[]) =>
      foundIn(rule, [own, ...others]).filter((text) => text.startsWith("id-a live"));
    const same = `id-a live violated ${subject} id-a live, id-a stage`;
    assert.deepEqual(subjectsOfLive(b), [same, `${same}, id-blog live`]);
    assert.deepEqual(subjectsOfLive(b, c), [same, `${same}, id-blog live, id-shop live`]);
  });
});

describe("a rule that compares projects", () => {
  const rules = [webrootLocation(), unsharedDatabases()];
  const environment = (databaseGroup: string | null) => ({
    webroot: "/var/www/x",
    databases: [{ name: "app", databaseType: "MYSQL" }],
    deploymentTargetGroupIds: { code: "g", databases: databaseGroup },
  });

  it("compares the environments of a project that is checked alone", () => {
    const project = projectOf("a", environment("g"), environment("g"));
    for (const rule of rules) assert.equal(checkProject(project, [rule]).length, 2);
  });

  it("compares a large fleet in little time, even if all of it shares one thing", function () {
    this.timeout(20_000);
    const fleet = Array.from({ length: 5_000 }, (_, index) =>
      projectOf(String(index), environment(index % 2 === 0 ? "g" : null)),
    );
    for (const rule of rules) assert.equal(checkProjects(fleet, [rule]).length, 5_000);
  });
});
