import assert from "node:assert/strict";
import * as policies from "../../../audit/policies.js";
import type { Finding, ProjectToCheck, Rule } from "../../../audit/policies.js";
import type { SandboxEnvironment, SandboxProject } from "../../../sandbox/index.js";
import { mappedProject, setAt } from "../../support/project.js";

/** Returns the place and the state of each finding. The place is an environment, or `-` for the project. */
function statesOf(findings: Finding[]): string[] {
  return findings.map(({ environmentId = "-", state }) => `${environmentId} ${state}`);
}

/** Returns the shop with a change in its live environment. */
function shopWithLive(change: (environment: SandboxEnvironment, project: SandboxProject) => void) {
  return mappedProject((project) =>
    change(project.projectEnvironments[0] as SandboxEnvironment, project),
  );
}

const shop = mappedProject();

/** Returns a function that creates a house rule, with functions that check projects with it. */
function checking<O>(create: (options?: O) => Rule) {
  return (options?: O) => {
    const rules = [create(options)];
    return {
      check: (project: ProjectToCheck) => policies.checkProject(project, rules),
      checkAll: (projects: readonly ProjectToCheck[]) => policies.checkProjects(projects, rules),
    };
  };
}

const guardedProductionBranch = checking(policies.guardedProductionBranch);
const initializedEnvironments = checking(policies.initializedEnvironments);
const keptDeployments = checking(policies.keptDeployments);
const restrictedDatabases = checking(policies.restrictedDatabases);
const unsharedDatabases = checking(policies.unsharedDatabases);
const webrootLocation = checking(policies.webrootLocation);

describe("guardedProductionBranch", () => {
  it("checks the branches of the named environments", () => {
    assert.deepEqual(statesOf(guardedProductionBranch().check(shop)), []);
    const strict = guardedProductionBranch({ environments: ["live", "stage"] });
    assert.deepEqual(statesOf(strict.check(shop)), ["stage violated"]);
  });

  it("is unknown if the service omits guarded, and checks nothing without the environments", () => {
    const silent = shopWithLive(({ projectEnvironmentCode }) => {
      setAt(projectEnvironmentCode, ["branch", "guarded"], undefined);
    });
    assert.deepEqual(statesOf(guardedProductionBranch().check(silent)), ["live unknown"]);
    const elsewhere = guardedProductionBranch({ environments: ["prod"] });
    assert.deepEqual(statesOf(elsewhere.check(shop)), []);
  });

  it("requires no branch and no environment of a project without code", () => {
    const noCode = shopWithLive((environment, project) => {
      project.hasCode = false;
      setAt(environment, ["projectEnvironmentCode"], undefined);
    });
    assert.deepEqual(statesOf(guardedProductionBranch().check(noCode)), []);
    const elsewhere = guardedProductionBranch({ environments: ["prod"] });
    assert.deepEqual(statesOf(elsewhere.check(noCode)), []);
  });
});

describe("restrictedDatabases", () => {
  /** Returns what the rule finds about one database of the live environment. */
  function checkAllowedIP(allowedIP: unknown): Finding[] {
    const project = shopWithLive(({ projectEnvironmentDatabases }) => {
      projectEnvironmentDatabases.databases.splice(1);
      setAt(projectEnvironmentDatabases.databases, [0, "allowedIP"], allowedIP);
    });
    return restrictedDatabases({ environments: ["live"] }).check(project);
  }

  it("has a finding for each unrestricted database, in every environment or in the named ones", () => {
    const findings = restrictedDatabases().check(shop);
    assert.deepEqual(
      findings.map(({ environmentId, subject }) => [environmentId, subject]),
      [
        ["stage", "database shop_search_stage (associationId 116)"],
        ["stage", "database shop_stage (associationId 115)"],
        ["test", "database shop_search_test (associationId 126)"],
        ["test", "database shop_test (associationId 125)"],
      ],
    );
    assert.deepEqual(statesOf(restrictedDatabases({ environments: ["live"] }).check(shop)), []);
  });

  for (const open of [
    null,
    ...["0.0.0.0/0", "::/0", "0.0.0.0", "::", "%", "*", "10.0.0.0/0", "0:0:0::/0"],
    "10.0.0.1, 0.0.0.0/0",
    "10.0.0.1 %",
    ["192.0.2.7", "0.0.0.0/0"],
    ["192.0.2.7,*"],
    [{ any: true }, "::/0"],
  ]) {
    it(`is violated by ${JSON.stringify(open)}`, () => {
      assert.deepEqual(statesOf(checkAllowedIP(open)), ["live violated"]);
    });
  }

  for (const restricted of [
    ...["192.0.2.7", "10.0.0.0/8", "2001:db8::1", "2001:db8::/32", "192.0.2.7/32"],
    "192.0.2.7, 192.0.2.8 2001:db8::1",
    ["192.0.2.7", "10.0.0.0/8"],
    ["0.0.0.0/2", "128.0.0.0/1"],
    ["0.0.0.0/1", "8000::/1"],
    ["8000::/1", "4000::/2"],
    "fe80::1%eth0",
  ]) {
    it(`is followed by ${JSON.stringify(restricted)}`, () => {
      assert.deepEqual(checkAllowedIP(restricted), []);
    });
  }

  for (const other of [
    ...[
      "",
      "192.168.%",
      "localhost",
      "10.0.0.0/255.255.255.0",
      "10.0.0.0/33",
      "10.0.0",
      "1.2.3.4/",
    ],
    [],
    [[]],
    ["192.0.2.7", "office"],
    [7],
    { range: "10.0.0.0/8" },
    true,
  ]) {
    it(`is unknown with ${JSON.stringify(other)}`, () => {
      assert.deepEqual(statesOf(checkAllowedIP(other)), ["live unknown"]);
    });
  }

  it("shows a pattern of addresses, which is part of the subject, and no other value", () => {
    const [pattern] = checkAllowedIP("192.168.%");
    assert.equal(pattern?.subject, "database shop_live (associationId 105), allowedIP 192.168.%");
    for (const secret of ["canary-of-allowed-ip", { note: "canary-of-allowed-ip" }]) {
      assert.doesNotMatch(JSON.stringify(checkAllowedIP(secret)), /canary/);
    }
  });

  it("has a subject that changes with the allowedIP, and not with its order", () => {
    const subjectOf = (allowedIP: unknown) => checkAllowedIP(allowedIP)[0]?.subject;
    const equal = [["10.%", "192.168.%"], ["192.168.%", "10.%", "10.%"], "192.168.% 10.%"];
    for (const allowedIP of equal) {
      assert.equal(
        subjectOf(allowedIP),
        "database shop_live (associationId 105), allowedIP 10.%, 192.168.%",
      );
    }
    const different = [
      "localhost",
      ["localhost", "office"],
      { public: true },
      {},
      [],
      "",
      [7],
      ["7x"],
    ];
    assert.match(subjectOf("localhost") ?? "", /, allowedIP with the SHA-256 [\da-f]{12}$/);
    assert.equal(subjectOf(["office", "localhost"]), subjectOf("localhost office"));
    assert.equal(new Set(different.map(subjectOf)).size, different.length - 1); // [] and "" are equal
  });

  it("has subjects that tell two databases with one name apart", () => {
    const databases = [7, 8, undefined].map((associationId) => ({
      ...{ name: "a b", associationId, allowedIP: null },
    }));
    const project = {
      projectId: "p-1",
      name: "shop",
      environments: [{ environmentId: "live", databases }],
    };
    assert.deepEqual(
      restrictedDatabases()
        .check(project)
        .map(({ subject }) => subject),
      ['database "a b" (associationId 7)', 'database "a b" (associationId 8)', 'database "a b"'],
    );
  });

  it("is unknown if the service omits allowedIP", () => {
    assert.deepEqual(statesOf(checkAllowedIP(undefined)), ["live unknown"]);
  });

  it("is unknown if the service omits the databases of an environment beside others", () => {
    const project = shopWithLive(({ projectEnvironmentDatabases }) =>
      setAt(projectEnvironmentDatabases, ["databases"], undefined),
    );
    assert.deepEqual(statesOf(restrictedDatabases({ environments: ["live"] }).check(project)), [
      "live unknown",
    ]);
  });

  for (const [hasDatabases, expected] of [
    [true, ["- unknown"]],
    [undefined, ["- unknown"]],
    [false, []],
  ] as const) {
    it(`gives ${expected.length} findings if no databases are listed and hasDatabases is ${hasDatabases}`, () => {
      const unlisted = mappedProject((project) => {
        setAt(project, ["hasDatabases"], hasDatabases);
        for (const environment of project.projectEnvironments) {
          environment.projectEnvironmentDatabases.databases = [];
        }
      });
      assert.deepEqual(statesOf(restrictedDatabases().check(unlisted)), expected);
      const elsewhere = restrictedDatabases({ environments: ["prod"] });
      assert.deepEqual(statesOf(elsewhere.check(unlisted)), expected);
    });
  }

  it("checks nothing if the project has none of the environments", () => {
    const elsewhere = restrictedDatabases({ environments: ["prod"] });
    assert.deepEqual(statesOf(elsewhere.check(shop)), []);
  });
});

describe("initializedEnvironments", () => {
  const { check } = initializedEnvironments();

  it("has a finding for each part that is not initialized", () => {
    const findings = check(
      shopWithLive((environment) => {
        environment.projectEnvironmentCode.initialized = null;
        environment.projectEnvironmentDatabases.initialized = false;
      }),
    );
    assert.deepEqual(
      findings.map(({ subject, message }) => [subject, message]),
      [
        ["code", "The code part is not initialized."],
        ["databases", "The databases part is not initialized."],
      ],
    );
  });

  it("checks only the parts that an environment has, and trusts a listed database more than hasDatabases", () => {
    const bare = (hasDatabases: boolean | undefined, listed: boolean) =>
      shopWithLive((environment, project) => {
        setAt(project, ["hasDatabases"], hasDatabases);
        environment.projectEnvironmentDatabases.initialized = false;
        if (!listed) environment.projectEnvironmentDatabases.databases = [];
      });
    assert.deepEqual(statesOf(check(bare(false, false))), []);
    assert.deepEqual(statesOf(check(bare(undefined, false))), ["live unknown"]);
    assert.deepEqual(statesOf(check(bare(true, false))), ["live violated"]);
    assert.deepEqual(statesOf(check(bare(false, true))), ["live violated"]);
  });

  it("passes a project that awaits its first deployment, and is unknown without a status", () => {
    const awaiting = (status: string | undefined) =>
      shopWithLive((environment, project) => {
        setAt(project, ["status"], status);
        environment.projectEnvironmentCode.initialized = null;
      });
    assert.deepEqual(check(awaiting("AWAITING_INITIAL_DEPLOYMENT")), []);
    assert.deepEqual(statesOf(check(awaiting(undefined))), ["live unknown"]);
  });

  it("is unknown if the service omits initialized", () => {
    const silent = shopWithLive((environment) => {
      setAt(environment, ["projectEnvironmentCode", "initialized"], undefined);
    });
    assert.deepEqual(statesOf(check(silent)), ["live unknown"]);
  });
});

describe("keptDeployments", () => {
  it("requires the minimum, and is unknown if the service omits deploymentsToKeep", () => {
    const project = shopWithLive(({ projectEnvironmentCode }) => {
      setAt(projectEnvironmentCode, ["deploymentsToKeep"], undefined);
    });
    const { check } = keptDeployments({ minimum: 4 });
    assert.deepEqual(statesOf(check(project)), ["live unknown", "stage violated", "test violated"]);
    assert.deepEqual(statesOf(keptDeployments({ minimum: 3 }).check(shop)), []);
  });

  for (const [hasCode, deploymentsToKeep, expected] of [
    [false, 0, []],
    [false, undefined, []],
    [false, 1, ["stage violated"]],
    [true, 0, ["stage violated"]],
    [undefined, undefined, ["stage unknown"]],
  ] as const) {
    it(`gives ${expected.length} findings with hasCode ${hasCode} and deploymentsToKeep ${deploymentsToKeep}`, () => {
      const project = {
        ...{ projectId: "p-1", name: "shop", hasCode },
        environments: [{ environmentId: "stage", deploymentsToKeep }],
      };
      assert.deepEqual(statesOf(keptDeployments().check(project)), expected);
      const elsewhere = keptDeployments({ environments: ["live"] });
      assert.deepEqual(elsewhere.check(project), []);
    });
  }
});

describe("webrootLocation", () => {
  for (const [webroot, expected] of [
    ["/var/www", ["live violated"]],
    ["/srv/www/", ["live violated"]],
    ["/var/www/shop/.git", ["live violated"]],
    ["/var/www/shop/.git/hooks", ["live violated"]],
    ["/var/www/shop/.github", []],
    ["/var//www/./shop/", []],
    ["/srv/www/shop", []],
    ["/var/www-evil/shop", ["live violated"]],
    ["/var/www/../../etc", ["live violated"]],
    ["var/www/shop", ["live violated"]],
    ["/", ["live violated"]],
    ["", ["live unknown"]],
    [undefined, ["live unknown"]],
  ] as const) {
    it(`${expected.length === 0 ? "accepts" : "does not accept"} the webroot ${JSON.stringify(webroot)}`, () => {
      const { check } = webrootLocation({ folders: ["/var/www/", "/srv/www"] });
      const project = shopWithLive((environment) =>
        setAt(environment, ["projectEnvironmentCode", "webroot"], webroot),
      );
      assert.deepEqual(statesOf(check(project)), expected);
    });
  }

  for (const [webroot, expected] of [
    ["/var/www/shared", "is or contains an allowed folder, which all projects share"],
    ["/var/www/shared/", "is or contains an allowed folder, which all projects share"],
    ["/var/www/a", "is or contains an allowed folder, which all projects share"],
    ["/var/www/shared/shop", undefined],
    ["/var/www/shop", undefined],
  ] as const) {
    it(`${expected === undefined ? "accepts" : "does not accept"} ${webroot} if an allowed folder is in another one`, () => {
      const { check } = webrootLocation({
        folders: ["/var/www", "/var/www/shared", "/var/www/a/b"],
      });
      const environments = [{ environmentId: "live", webroot }];
      const found = check({ projectId: "p-1", name: "shop", environments });
      const messages = expected === undefined ? [] : [`The webroot ${webroot} ${expected}.`];
      assert.deepEqual(
        found.map(({ message }) => message),
        messages,
      );
    });
  }

  it("needs none of the environments if the project has no code and no webroot", () => {
    const found = (webroot: string | undefined) =>
      webrootLocation({ environments: ["live"] }).check({
        ...{ projectId: "p-1", name: "shop", hasCode: false },
        environments: [{ environmentId: "stage", webroot }],
      });
    assert.deepEqual(statesOf(found(undefined)), []);
    assert.deepEqual(statesOf(found("/var/www/x")), []);
  });
});

describe("webrootLocation of several projects", () => {
  /** Returns a project with one environment. */
  const project = (name: string, webroot: string, group: string | undefined = "web-1") => ({
    projectId: `id-${name}`,
    name,
    environments: [{ environmentId: "live", webroot, deploymentTargetGroupIds: { code: group } }],
  });
  const check = (...projects: ReturnType<typeof project>[]) =>
    webrootLocation()
      .checkAll(projects)
      .map(({ projectId, state }) => `${projectId} ${state}`);
  const blog = project("blog", "/var/www/blog/live/current/public");

  it("finds a webroot in the webroot of another project, with a finding for each of both", () => {
    const shop = project("shop", "/var/www/blog/live/current/public/shop");
    assert.deepEqual(check(blog, shop), ["id-blog violated", "id-shop violated"]);
    assert.deepEqual(check(shop, blog), ["id-shop violated", "id-blog violated"]);
    assert.deepEqual(webrootLocation().check(shop), []);
  });

  it("compares whole names, and only servers that are the same", () => {
    assert.deepEqual(check(blog, project("blog-2", "/var/www/blog/live/current/public-2")), []);
    assert.deepEqual(check(blog, project("shop", "/var/www/html/shop")), []);
    assert.deepEqual(check(blog, project("shop", blog.environments[0]!.webroot, "web-2")), []);
  });

  it("is unknown if the service omits a deployment target group and the webroots overlap", () => {
    const inBlog = project("shop", "/var/www/blog/live/current/public/shop");
    assert.deepEqual(check(blog, withoutGroup(inBlog)), ["id-shop unknown"]);
    assert.deepEqual(check(blog, withoutGroup(project("shop", "/var/www/shop"))), []);
  });

  const withoutGroup = (one: ReturnType<typeof project>) => {
    setAt(one, ["environments", 0, "deploymentTargetGroupIds", "code"], undefined);
    return one;
  };
  const subjects = (...projects: ReturnType<typeof project>[]) =>
    webrootLocation()
      .checkAll(projects)
      .map(({ projectId, subject, state }) => `${projectId} ${subject} ${state}`)
      .sort();

  it("has subjects with both webroots and everybody who overlaps", () => {
    const [a, b] = [project("a", "/var/www/x/"), project("b", "/var/www/x")];
    const same =
      "webroot /var/www/x in /var/www/x, shared by /var/www/x of id-a live, /var/www/x of id-b live";
    assert.deepEqual(subjects(a, b), [`id-a ${same} violated`, `id-b ${same} violated`]);
    const both = "shared by /var/www/x of id-a live, /var/www/x/y of id-c live";
    assert.deepEqual(subjects(a, project("c", "/var/www/x/y")), [
      `id-a webroot /var/www/x in /var/www/x, ${both} violated`,
      `id-c webroot /var/www/x/y in /var/www/x, ${both} violated`,
    ]);
  });

  it("compares the environments of a project, also if it is checked alone", () => {
    const two = ["live", "stage"].map((environmentId) => ({
      environmentId,
      webroot: "/var/www/x",
      deploymentTargetGroupIds: { code: "web-1" },
    }));
    const shop = { projectId: "p-1", name: "shop", environments: two };
    assert.deepEqual(statesOf(webrootLocation().check(shop)), ["live violated", "stage violated"]);
    assert.deepEqual(statesOf(webrootLocation().checkAll([shop])).length, 2);
  });

  it("finds no conflict between webroots that only share an outer one", () => {
    const projects = [
      project("a", "/var/www/x"),
      project("b", "/var/www/x/b"),
      project("c", "/var/www/x/c"),
    ];
    assert.deepEqual(check(...projects), ["id-a violated", "id-b violated", "id-c violated"]);
    const own = { ...projects[0]!, environments: [...projects[0]!.environments] };
    own.environments.push({ ...projects[1]!.environments[0]!, environmentId: "stage" });
    const found = webrootLocation().checkAll([own, projects[2]!]);
    // The webroots x/b and x/c do not overlap, so the finding of x/b is about x in its own project.
    assert.deepEqual(
      found.map(({ projectId, environmentId }) => `${projectId} ${environmentId}`),
      ["id-a live", "id-a live", "id-a stage", "id-c live"],
    );
  });

  it("compares webroots outside the allowed folders too, and only absolute ones without ..", () => {
    const [a, b] = [project("a", "/srv/x/.git"), project("b", "/srv/x/.git")];
    assert.deepEqual(subjects(a, b).filter((subject) => subject.includes(" in ")).length, 2);
    const roots = subjects(project("a", "/"), project("b", "//"), project("c", "/var/www/c"));
    assert.deepEqual(roots.filter((subject) => subject.includes(" in ")).length, 3);
    const relative = ["var/x", "/var/www/../x"].flatMap((path) =>
      subjects(project("a", path), project("b", path)),
    );
    assert.ok(relative.every((subject) => !subject.includes(" in ")));
  });

  it("has another subject for another neighbor, and a message that names the first of them", () => {
    const projects = ["b", "c", "d", "e", "f", "g", "h"].map((name) => project(name, "/srv/x"));
    const ofB = (count: number) =>
      webrootLocation({ folders: ["/srv"] })
        .checkAll(projects.slice(0, count).reverse())
        .filter(({ projectId }) => projectId === "id-b");
    assert.equal(ofB(2)[0]?.message, "The webroot /srv/x overlaps with /srv/x of id-c live.");
    assert.equal(
      ofB(7)[0]?.message,
      `The webroot /srv/x overlaps with ${["c", "d", "e", "f", "g"].map((name) => `/srv/x of id-${name} live`).join(", ")} and 1 more.`,
    );
    assert.notEqual(ofB(2)[0]?.subject, ofB(3)[0]?.subject);
  });

  it("compares a large fleet in little time, even if all of it has one webroot", function () {
    this.timeout(20_000);
    const projects = Array.from({ length: 5_000 }, (_, index) =>
      project(String(index), "/var/www/x"),
    );
    assert.equal(check(...projects).length, 5_000);
  });
});

describe("unsharedDatabases", () => {
  const environment = (environmentId: string, name: string, group?: string, type = "MYSQL") => ({
    environmentId,
    databases: [{ name, databaseType: type }],
    deploymentTargetGroupIds: { databases: group },
  });
  const project = (name: string, ...environments: ReturnType<typeof environment>[]) => ({
    projectId: `id-${name}`,
    name,
    environments,
  });
  const check = (...projects: ReturnType<typeof project>[]) =>
    unsharedDatabases()
      .checkAll(projects)
      .map(({ projectId, environmentId, state }) => `${projectId} ${environmentId} ${state}`);

  it("finds a database of two environments of a project", () => {
    const shop = project("shop", environment("live", "a", "g"), environment("stage", "a", "g"));
    assert.deepEqual(check(shop), ["id-shop live violated", "id-shop stage violated"]);
    assert.deepEqual(statesOf(unsharedDatabases().check(shop)), [
      "live violated",
      "stage violated",
    ]);
  });

  it("finds a database of two projects, and gives messages that do not depend on the order of the list", () => {
    const projects = ["a", "b", "c"].map((name) => project(name, environment("live", "x", "g")));
    assert.deepEqual(check(...projects), [
      "id-a live violated",
      "id-b live violated",
      "id-c live violated",
    ]);
    const messages = (some: typeof projects) =>
      unsharedDatabases()
        .checkAll(some)
        .map(({ message }) => message)
        .sort();
    assert.deepEqual(messages(projects), messages([...projects].reverse()));
    assert.equal(messages(projects)[0], "The database x is also used by id-a live, id-b live.");
  });

  it("has subjects with the database, its type, its group and everybody who uses it", () => {
    const [live, stage] = [environment("live", "x y", "g"), environment("stage", "x y", "g")];
    const subjectsOfA = (...others: ReturnType<typeof project>[]) =>
      unsharedDatabases()
        .checkAll([project("a", live, stage), ...others])
        .filter(({ projectId, environmentId }) => projectId === "id-a" && environmentId === "live")
        .map(({ subject }) => subject);
    const own = 'database "x y", MYSQL in g, shared by id-a live, id-a stage';
    const [b, c] = ["b", "c"].map((name) => project(name, live));
    assert.deepEqual(subjectsOfA(), [own]);
    assert.deepEqual(subjectsOfA(b!), [own, `${own}, id-b live`]);
    assert.deepEqual(subjectsOfA(b!, c!), [own, `${own}, id-b live, id-c live`]);
  });

  it("compares name, deployment target group and type", () => {
    const blog = project("blog", environment("live", "a", "g"));
    assert.deepEqual(check(blog, project("shop", environment("live", "A", "g"))), []);
    assert.deepEqual(check(blog, project("shop", environment("live", "a", "h"))), []);
    assert.deepEqual(check(blog, project("shop", environment("live", "a", "g", "REDIS"))), []);
  });

  it("is unknown if the service omits what would tell two databases apart", () => {
    const blog = project("blog", environment("live", "a", "g"));
    const unclear = project("shop", environment("live", "a"));
    assert.deepEqual(check(blog, unclear), ["id-shop undefined unknown"]);
    const [{ subject } = { subject: "" }] = unsharedDatabases().checkAll([blog, unclear]);
    assert.equal(subject, "missing environments[live].deploymentTargetGroupIds.databases");
  });

  for (const [title, fields, expected] of [
    [
      "omits the list of an environment",
      { databases: undefined },
      ["live missing databases, hasDatabases"],
    ],
    [
      "omits the list of an environment of a project with databases",
      { databases: undefined, hasDatabases: true },
      ["live missing databases"],
    ],
    [
      "omits the list of an environment of a project without databases",
      { databases: undefined, hasDatabases: false },
      [],
    ],
    ["lists no databases", { databases: [] }, ["- missing hasDatabases"]],
    [
      "lists no databases of a project with databases",
      { databases: [], hasDatabases: true },
      ["- databases"],
    ],
    [
      "lists no databases of a project without databases",
      { databases: [], hasDatabases: false },
      [],
    ],
    [
      "omits the names of databases",
      { databases: [{ databaseType: "MYSQL" }, { name: "" }] },
      ["live missing databases[0].name"],
    ],
  ] as const) {
    it(`has ${expected.length} unknown findings if the service ${title}`, () => {
      const { databases, ...others } = { hasDatabases: undefined, ...fields };
      const nameless = {
        ...{ projectId: "p-1", name: "shop" },
        ...others,
        environments: [{ environmentId: "live", databases }],
      };
      const found = unsharedDatabases().check(nameless);
      assert.deepEqual(
        found.map(({ environmentId = "-", subject }) => `${environmentId} ${subject}`),
        expected,
      );
      assert.ok(found.every(({ state }) => state === "unknown"));
    });
  }

  it("needs none of the environments if the project has no databases and lists none", () => {
    const found = (hasDatabases: boolean, listed: boolean) => {
      const databases = listed ? [{ name: "a" }] : [];
      const shop = {
        ...{ projectId: "p-1", name: "shop", hasDatabases },
        environments: [{ environmentId: "stage", databases }],
      };
      return unsharedDatabases({ environments: ["live"] })
        .check(shop)
        .map(({ subject }) => subject);
    };
    assert.deepEqual(found(false, false), []);
    assert.deepEqual(found(false, true), []);
    assert.deepEqual(found(true, true), []);
  });

  it("compares a large fleet in little time, even if all of it shares a database", function () {
    this.timeout(20_000);
    const projects = Array.from({ length: 5_000 }, (_, index) =>
      project(String(index), environment("live", "app", index % 2 === 0 ? "g" : undefined)),
    );
    assert.equal(check(...projects).length, 5_000);
  });
});
