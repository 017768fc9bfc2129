import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  checkProject,
  type Finding,
  guardedProductionBranch,
  houseRules,
  initializedEnvironments,
  keptDeployments,
  linkedAssets,
  placeOf,
  recordedWithoutCredentials,
  restrictedDatabases,
  sentenceOf,
  webrootLocation,
} from "../../audit/policies.js";
import type { SandboxEnvironment, SandboxProject } from "../../sandbox/index.js";
import { failureOf } from "../support/failure.js";
import { mappedProject } from "../support/mappedProject.js";
import { setAt } from "../support/project.js";
import { LeakSearch } from "../support/secrets.js";

/** Where a rule found what: environment, or `-` for the project as a whole, and state. */
function found(findings: Finding[]): string[] {
  return findings.map(({ environmentId = "-", state }) => `${environmentId} ${state}`);
}

/** The shop with its live environment changed. */
function live(change: (environment: SandboxEnvironment, project: SandboxProject) => void) {
  return mappedProject((project) =>
    change(project.projectEnvironments[0] as SandboxEnvironment, project),
  );
}

const shop = mappedProject();

describe("the rule of the guarded production branch", () => {
  it("looks at the named environments", () => {
    assert.deepEqual(found(guardedProductionBranch().check(shop)), []);
    const strict = guardedProductionBranch({ environments: ["live", "stage"] });
    assert.deepEqual(found(strict.check(shop)), ["stage violated"]);
  });

  it("does not know where the service does not say, or shows none of them", () => {
    const silent = live(({ projectEnvironmentCode }) => {
      setAt(projectEnvironmentCode, ["branch", "guarded"], undefined);
    });
    assert.deepEqual(found(guardedProductionBranch().check(silent)), ["live unknown"]);
    const elsewhere = guardedProductionBranch({ environments: ["prod"] });
    assert.deepEqual(found(elsewhere.check(shop)), ["- unknown"]);
  });

  it("asks no branch of a project without code", () => {
    const noCode = live((environment, project) => {
      project.hasCode = false;
      setAt(environment, ["projectEnvironmentCode"], undefined);
    });
    assert.deepEqual(found(guardedProductionBranch().check(noCode)), []);
  });
});

describe("the rule of restricted databases", () => {
  it("names the databases that are open, in every environment or in those named", () => {
    const findings = restrictedDatabases().check(shop);
    assert.deepEqual(found(findings), ["stage violated", "test violated"]);
    assert.match(findings[0]?.message ?? "", /shop_search_stage, shop_stage/);
    assert.deepEqual(found(restrictedDatabases({ environments: ["live"] }).check(shop)), []);
  });

  it("does not know what is left out, and never prints what is there", () => {
    const project = live(({ projectEnvironmentDatabases: { databases } }) => {
      setAt(databases, [0, "allowedIP"], undefined);
      setAt(databases, [1, "allowedIP"], { note: "canary-of-allowed-ip" });
    });
    const findings = restrictedDatabases({ environments: ["live"] }).check(project);
    assert.deepEqual(found(findings), ["live unknown"]);
    assert.doesNotMatch(JSON.stringify(findings), /canary|shop_search/);
  });

  it("does not know of databases that are said to be there and not listed, or are elsewhere", () => {
    const unlisted = mappedProject((project) => {
      for (const environment of project.projectEnvironments) {
        environment.projectEnvironmentDatabases.databases = [];
      }
    });
    assert.deepEqual(found(restrictedDatabases().check(unlisted)), ["- unknown"]);
    const elsewhere = restrictedDatabases({ environments: ["prod"] });
    assert.deepEqual(found(elsewhere.check(shop)), ["- unknown"]);
  });
});

describe("the rule of initialized environments", () => {
  const { check } = initializedEnvironments();

  it("names the parts that are not", () => {
    const [finding] = check(
      live((environment) => {
        environment.projectEnvironmentCode.initialized = null;
        environment.projectEnvironmentDatabases.initialized = false;
      }),
    );
    assert.equal(finding?.message, "Not initialized: code, databases.");
  });

  it("asks of an environment only what it has, and believes what is listed over what is said", () => {
    const bare = (hasDatabases: boolean | undefined, listed: boolean) =>
      live((environment, project) => {
        setAt(project, ["hasDatabases"], hasDatabases);
        environment.projectEnvironmentDatabases.initialized = false;
        if (!listed) environment.projectEnvironmentDatabases.databases = [];
      });
    assert.deepEqual(found(check(bare(false, false))), []);
    assert.deepEqual(found(check(bare(undefined, false))), []);
    assert.deepEqual(found(check(bare(true, false))), ["live violated"]);
    assert.deepEqual(found(check(bare(false, true))), ["live violated"]);
  });

  it("does not know what is left out", () => {
    const silent = live((environment) => {
      setAt(environment, ["projectEnvironmentCode", "initialized"], undefined);
    });
    assert.deepEqual(found(check(silent)), ["live unknown"]);
  });
});

describe("the rule of kept deployments", () => {
  it("wants the minimum, and does not know where the service does not say", () => {
    const project = live(({ projectEnvironmentCode }) => {
      setAt(projectEnvironmentCode, ["deploymentsToKeep"], undefined);
    });
    const { check } = keptDeployments({ minimum: 4 });
    assert.deepEqual(found(check(project)), ["live unknown", "stage violated", "test violated"]);
    assert.deepEqual(found(keptDeployments({ minimum: 3 }).check(shop)), []);
  });
});

describe("the rule of webroots", () => {
  for (const [webroot, expected] of [
    ["/var/www", []],
    ["/var//www/./shop/", []],
    ["/srv/www/shop", []],
    ["/var/www-evil/shop", ["live violated"]],
    ["/var/www/../../etc", ["live violated"]],
    ["var/www/shop", ["live violated"]],
    ["/", ["live violated"]],
    ["", ["live unknown"]],
    [undefined, ["live unknown"]],
  ] as const) {
    it(`${expected.length === 0 ? "lets" : "does not let"} ${webroot} be one`, () => {
      const { check } = webrootLocation({ folders: ["/var/www/", "/srv/www"] });
      const project = live((environment) =>
        setAt(environment, ["projectEnvironmentCode", "webroot"], webroot),
      );
      assert.deepEqual(found(check(project)), expected);
    });
  }
});

describe("the rule of linked assets", () => {
  const { check } = linkedAssets();

  for (const [title, path, value, expected] of [
    [
      "an asset group that names no symlink there is",
      ["projectEnvironmentAssets", "assetGroups", 0, "symLinkId"],
      "other",
      ["live violated"],
    ],
    [
      "a symlink that names no asset group there is",
      ["symLinks", 0, "assetGroupId"],
      "other",
      ["live violated"],
    ],
    [
      "a symlink that names another's asset group",
      ["symLinks", 0, "assetGroupId"],
      "p-1-live-asset-1",
      ["live violated"],
    ],
    ["asset groups without symlinks", ["symLinks"], [], ["live violated"]],
    [
      "symlinks without asset groups",
      ["projectEnvironmentAssets", "assetGroups"],
      [],
      ["live violated"],
    ],
    ["a symlink that says nothing", ["symLinks", 0, "assetGroupId"], undefined, ["live unknown"]],
  ] as const) {
    it(`finds ${title}`, () => {
      const project = live((environment) => setAt(environment, path, value));
      assert.deepEqual(found(check(project)), expected);
    });
  }

  it("does not know of assets that are said to be there and not listed", () => {
    const unlisted = mappedProject((project) => {
      for (const environment of project.projectEnvironments) {
        environment.projectEnvironmentAssets.assetGroups = [];
        environment.symLinks = [];
      }
    });
    assert.deepEqual(found(check(unlisted)), ["- unknown"]);
  });
});

describe("the rule of recording without credentials", () => {
  it("finds a snapshot's credentials and prints none", () => {
    const credentials = { databases: { live: [{ password: "canary-password-of-live" }] } };
    const [finding, ...others] = recordedWithoutCredentials().check({ ...shop, credentials });
    assert.deepEqual(found(others), []);
    assert.equal(finding?.state, "violated");
    assert.doesNotMatch(JSON.stringify(finding), /canary/);
    assert.deepEqual(recordedWithoutCredentials().check(shop), []);
  });
});

describe("the house rules", () => {
  it("say where, what and what to do, with each text of the service in one line", () => {
    const hostile = live((environment, project) => {
      project.name = "shop\n::error::forged\u202e";
      environment.environmentId = "live\u001b[31m";
      environment.projectEnvironmentCode.webroot = `/tmp/${"x".repeat(500)}\u0000`;
    });
    const findings = checkProject(hostile, houseRules());
    const webroot = findings.find(({ rule }) => rule === "webroot-location") as Finding;
    assert.equal(
      placeOf(webroot),
      "Project shop\\n::error::forged\\u202e (p-1), environment live\\u001b[31m",
    );
    assert.match(
      sentenceOf(webroot),
      /rule webroot-location: The webroot \/tmp\/x+… is in another/,
    );
    for (const finding of findings)
      assert.doesNotMatch(sentenceOf(finding), /[\n\u0000\u001b\u202e]/);
  });

  it("keep every credential of what they are handed to themselves", () => {
    const secrets: string[] = [];
    const secret = (text: string) => {
      secrets.push(text);
      return text;
    };
    const handed = {
      ...shop,
      codeRepository: { ...shop.codeRepository, importRepository: secret("canary-of-the-import") },
      environments: shop.environments.map((environment) => ({
        ...environment,
        branch: { name: environment.branch.name, guarded: false },
        webroot: "/tmp",
        importBranchOrTag: secret(`canary-of-import-branch-${environment.order}`),
        initialized: { code: null, assets: null, databases: false },
        databases: environment.databases.map((database, index) => ({
          ...database,
          allowedIP: index === 0 ? null : secret(`canary-of-allowed-ip-${environment.order}`),
          username: secret(`canary-of-user-${environment.order}-${index}`),
          password: secret(`canary-of-password-${environment.order}-${index}`),
        })),
      })),
      credentials: { importRepository: secret("canary-of-the-recorded-import") },
    };
    const findings = checkProject(handed, houseRules({ keptDeployments: { minimum: 9 } }));
    assert.equal(new Set(findings.map(({ rule }) => rule)).size, 6);
    new LeakSearch(secrets).text("the findings", JSON.stringify(findings));
  });

  it("make no finding of a project that an answer shows next to nothing of, but unknowns", () => {
    const findings = checkProject(
      { projectId: "p-1", name: "shop", environments: [{ environmentId: "live" }] },
      houseRules(),
    );
    assert.ok(findings.length >= 4);
    for (const { state, remedy } of findings) {
      assert.equal(state, "unknown");
      assert.match(remedy, /^Look it up in the Project Service\. What has to hold: /);
    }
  });

  it("refuse what is no project, which would pass", async () => {
    for (const value of [{}, { projectId: "p-1", name: "shop" }, { ...shop, environments: [{}] }]) {
      await failureOf(() => checkProject(value, houseRules()), "ARGUMENT_INVALID");
    }
  });

  it("can be configured, and left out", () => {
    const rules = houseRules({ keptDeployments: { minimum: 7 }, linkedAssets: false });
    assert.equal(rules.length, 6);
    assert.ok(rules.some(({ description }) => description.includes("at least 7 deployments")));
  });

  for (const [options, says] of [
    [{ keptDeployment: {} }, /houseRules has no option keptDeployment\..*keptDeployments/],
    [{ keptDeployments: true }, /options of keptDeployments must be an object/],
    [{ keptDeployments: { minimun: 3 } }, /keptDeployments has no option minimun\..*minimum/],
    [{ keptDeployments: { minimum: "3" } }, /whole number, 1 or more, as minimum/],
    [{ keptDeployments: { minimum: 0 } }, /whole number, 1 or more, as minimum/],
    [{ guardedProductionBranch: { environments: "live" } }, /list of at least one text/],
    [{ restrictedDatabases: { environments: [] } }, /list of at least one text/],
    [{ webrootLocation: { folders: ["www"] } }, /absolute paths/],
    [{ webrootLocation: { folders: ["/var/www/.."] } }, /absolute paths/],
    [{ linkedAssets: { strict: true } }, /linkedAssets has no option strict\. It has none/],
  ] as const) {
    it(`refuse ${JSON.stringify(options)}`, async () => {
      const { message } = await failureOf(() => houseRules(options as never), "ARGUMENT_INVALID");
      assert.match(message, says);
    });
  }
});

describe("importing the policies", () => {
  it("loads nothing of Pulumi, axios or openid-client, nor anything else that is installed", () => {
    const script = `
      require("pulumi-project-service/policies");
      process.stdout.write(JSON.stringify(Object.keys(require.cache)));
    `;
    const root = `${__dirname}/../../..`;
    const printed = execFileSync(process.execPath, ["-e", script], { cwd: root, encoding: "utf8" });
    const loaded = JSON.parse(printed) as string[];
    assert.ok(loaded.some((file) => file.endsWith("restrictedDatabases.js")));
    assert.deepEqual(
      loaded.filter((file) => file.includes("node_modules")),
      [],
    );
  });
});
