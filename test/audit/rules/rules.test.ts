import assert from "node:assert/strict";
import {
  type Finding,
  guardedProductionBranch,
  initializedEnvironments,
  keptDeployments,
  linkedAssets,
  recordedWithoutCredentials,
  restrictedDatabases,
  webrootLocation,
} from "../../../audit/policies.js";
import type { SandboxEnvironment, SandboxProject } from "../../../sandbox/index.js";
import { mappedProject } from "../../support/mappedProject.js";
import { setAt } from "../../support/project.js";

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

describe("guardedProductionBranch", () => {
  it("checks the branches of the named environments", () => {
    assert.deepEqual(statesOf(guardedProductionBranch().check(shop)), []);
    const strict = guardedProductionBranch({ environments: ["live", "stage"] });
    assert.deepEqual(statesOf(strict.check(shop)), ["stage violated"]);
  });

  it("is unknown if the service omits guarded, or if the project has none of the environments", () => {
    const silent = shopWithLive(({ projectEnvironmentCode }) => {
      setAt(projectEnvironmentCode, ["branch", "guarded"], undefined);
    });
    assert.deepEqual(statesOf(guardedProductionBranch().check(silent)), ["live unknown"]);
    const elsewhere = guardedProductionBranch({ environments: ["prod"] });
    assert.deepEqual(statesOf(elsewhere.check(shop)), ["- unknown"]);
  });

  it("requires no branch of a project without code", () => {
    const noCode = shopWithLive((environment, project) => {
      project.hasCode = false;
      setAt(environment, ["projectEnvironmentCode"], undefined);
    });
    assert.deepEqual(statesOf(guardedProductionBranch().check(noCode)), []);
  });
});

describe("restrictedDatabases", () => {
  it("names the unrestricted databases, in every environment or in the named ones", () => {
    const findings = restrictedDatabases().check(shop);
    assert.deepEqual(statesOf(findings), ["stage violated", "test violated"]);
    assert.match(findings[0]?.message ?? "", /shop_search_stage, shop_stage/);
    assert.deepEqual(statesOf(restrictedDatabases({ environments: ["live"] }).check(shop)), []);
  });

  it("is unknown if the service omits allowedIP, and never prints its value", () => {
    const project = shopWithLive(({ projectEnvironmentDatabases: { databases } }) => {
      setAt(databases, [0, "allowedIP"], undefined);
      setAt(databases, [1, "allowedIP"], { note: "canary-of-allowed-ip" });
    });
    const findings = restrictedDatabases({ environments: ["live"] }).check(project);
    assert.deepEqual(statesOf(findings), ["live unknown"]);
    assert.doesNotMatch(JSON.stringify(findings), /canary|shop_search/);
  });

  it("is unknown if the service says that there are databases but lists none, or if the project has none of the environments", () => {
    const unlisted = mappedProject((project) => {
      for (const environment of project.projectEnvironments) {
        environment.projectEnvironmentDatabases.databases = [];
      }
    });
    assert.deepEqual(statesOf(restrictedDatabases().check(unlisted)), ["- unknown"]);
    const elsewhere = restrictedDatabases({ environments: ["prod"] });
    assert.deepEqual(statesOf(elsewhere.check(shop)), ["- unknown"]);
  });
});

describe("initializedEnvironments", () => {
  const { check } = initializedEnvironments();

  it("names the parts that are not initialized", () => {
    const [finding] = check(
      shopWithLive((environment) => {
        environment.projectEnvironmentCode.initialized = null;
        environment.projectEnvironmentDatabases.initialized = false;
      }),
    );
    assert.equal(finding?.message, "These parts are not initialized: code, databases.");
  });

  it("checks only the parts that an environment has, and trusts a listed database more than hasDatabases", () => {
    const bare = (hasDatabases: boolean | undefined, listed: boolean) =>
      shopWithLive((environment, project) => {
        setAt(project, ["hasDatabases"], hasDatabases);
        environment.projectEnvironmentDatabases.initialized = false;
        if (!listed) environment.projectEnvironmentDatabases.databases = [];
      });
    assert.deepEqual(statesOf(check(bare(false, false))), []);
    assert.deepEqual(statesOf(check(bare(undefined, false))), []);
    assert.deepEqual(statesOf(check(bare(true, false))), ["live violated"]);
    assert.deepEqual(statesOf(check(bare(false, true))), ["live violated"]);
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
});

describe("webrootLocation", () => {
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
    it(`${expected.length === 0 ? "accepts" : "does not accept"} the webroot ${JSON.stringify(webroot)}`, () => {
      const { check } = webrootLocation({ folders: ["/var/www/", "/srv/www"] });
      const project = shopWithLive((environment) =>
        setAt(environment, ["projectEnvironmentCode", "webroot"], webroot),
      );
      assert.deepEqual(statesOf(check(project)), expected);
    });
  }
});

describe("linkedAssets", () => {
  const { check } = linkedAssets();

  for (const [title, path, value, expected] of [
    [
      "an asset group that names a symlink that does not exist",
      ["projectEnvironmentAssets", "assetGroups", 0, "symLinkId"],
      "other",
      ["live violated"],
    ],
    [
      "a symlink that names an asset group that does not exist",
      ["symLinks", 0, "assetGroupId"],
      "other",
      ["live violated"],
    ],
    [
      "a symlink that names the asset group of another symlink",
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
    [
      "a symlink without assetGroupId",
      ["symLinks", 0, "assetGroupId"],
      undefined,
      ["live unknown"],
    ],
  ] as const) {
    it(`finds ${title}`, () => {
      const project = shopWithLive((environment) => setAt(environment, path, value));
      assert.deepEqual(statesOf(check(project)), expected);
    });
  }

  it("is unknown if the service says that there are assets but lists none", () => {
    const unlisted = mappedProject((project) => {
      for (const environment of project.projectEnvironments) {
        environment.projectEnvironmentAssets.assetGroups = [];
        environment.symLinks = [];
      }
    });
    assert.deepEqual(statesOf(check(unlisted)), ["- unknown"]);
  });
});

describe("recordedWithoutCredentials", () => {
  it("finds the credentials of a snapshot, and prints none of them", () => {
    const credentials = { databases: { live: [{ password: "canary-password-of-live" }] } };
    const [finding, ...others] = recordedWithoutCredentials().check({ ...shop, credentials });
    assert.deepEqual(statesOf(others), []);
    assert.equal(finding?.state, "violated");
    assert.doesNotMatch(JSON.stringify(finding), /canary/);
    assert.deepEqual(recordedWithoutCredentials().check(shop), []);
  });
});
