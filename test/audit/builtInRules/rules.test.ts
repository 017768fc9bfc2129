import assert from "node:assert/strict";
import { guardedProductionBranch } from "../../../audit/builtInRules/guardedProductionBranch.js";
import { initializedEnvironments } from "../../../audit/builtInRules/initializedEnvironments.js";
import { keptDeployments } from "../../../audit/builtInRules/keptDeployments.js";
import { restrictedDatabases } from "../../../audit/builtInRules/restrictedDatabases.js";
import { unsharedDatabases } from "../../../audit/builtInRules/unsharedDatabases.js";
import { webrootLocation } from "../../../audit/builtInRules/webrootLocation.js";
import { auditProject, type Rule } from "../../../audit/policies.js";

/** Returns a project with one environment, by default `live`. */
const shopWith = (live: object, project: object = {}) => ({
  ...{ projectId: "p-1", name: "shop", environments: [{ environmentId: "live", ...live }] },
  ...project,
});

interface Case {
  /** Fields of the only environment, which is `live` by default. */
  readonly live?: object;
  /** Further fields of the project. */
  readonly project?: object;
  /** The states of the findings, all about the environment live. */
  readonly finds: readonly string[];
}

function itFinds(rule: Rule, cases: Readonly<Record<string, Case>>): void {
  for (const [title, { live = {}, project, finds }] of Object.entries(cases)) {
    it(`finds ${finds.join() || "nothing"}: ${title}`, () => {
      const found = auditProject(shopWith(live, project), [rule]);
      assert.deepEqual(
        found.map(({ environmentId, state }) => [environmentId, state]),
        finds.map((state) => ["live", state]),
      );
    });
  }
}

const noCode = { hasCode: false };

describe("guardedProductionBranch", () => {
  const unguarded = { branch: { name: "a", guarded: false } };
  itFinds(guardedProductionBranch(), {
    "a guarded branch": { live: { branch: { name: "a", guarded: true } }, finds: [] },
    "an unguarded branch": { live: unguarded, finds: ["violated"] },
    "an unguarded branch, not in production": {
      live: { ...unguarded, environmentId: "stage" },
      finds: [],
    },
    "no guarded": { live: { branch: { name: "a" } }, finds: ["undecided"] },
    "no branch without code": { project: noCode, finds: [] },
  });

  it("finds an unguarded branch whose name the service omits", () => {
    const [found] = auditProject(shopWith({ branch: { guarded: false } }), [
      guardedProductionBranch(),
    ]);
    assert.equal(found?.message, "The branch is not guarded.");
  });
});

describe("keptDeployments", () => {
  itFinds(keptDeployments(), {
    "the minimum": { live: { deploymentsToKeep: 3 }, finds: [] },
    none: { live: { deploymentsToKeep: 0 }, project: { hasCode: true }, finds: ["violated"] },
    "no value": { finds: ["undecided"] },
    "none without code": { live: { deploymentsToKeep: 0 }, project: noCode, finds: [] },
    "1 without code": { live: { deploymentsToKeep: 1 }, project: noCode, finds: ["violated"] },
  });
  itFinds(keptDeployments({ minimum: 4 }), {
    "fewer than the option minimum": { live: { deploymentsToKeep: 3 }, finds: ["violated"] },
  });
});

describe("initializedEnvironments", () => {
  const all = { code: "2030-01-01", assets: "2030-01-01", databases: true };
  /** Returns an environment whose parts are initialized as said, by default all of them. */
  const withInitialized = (parts: object, fields: object = {}) => ({
    ...{ branch: {}, assetGroups: [], databases: [], ...fields },
    initialized: { ...all, ...parts },
  });
  const listed = { databases: [{ name: "a" }] };
  const project = { status: "LIVE", hasDatabases: false };
  const noDatabaseYet = withInitialized({ databases: false });
  itFinds(initializedEnvironments(), {
    "all parts": { live: withInitialized({}), project, finds: [] },
    "code by hasCode": {
      live: { initialized: { ...all, code: null } },
      project: { ...project, hasCode: true },
      finds: ["violated"],
    },
    "code and assets": {
      live: withInitialized({ code: null, assets: false }, { assetGroups: [{ id: "a" }] }),
      project,
      finds: ["violated", "violated"],
    },
    "a listed database": {
      live: withInitialized({ databases: false }, listed),
      project,
      finds: ["violated"],
    },
    "no database": { live: noDatabaseYet, project, finds: [] },
    "a database by hasDatabases": {
      live: noDatabaseYet,
      project: { ...project, hasDatabases: true },
      finds: ["violated"],
    },
    "no database and no hasDatabases": {
      live: noDatabaseYet,
      project: { status: "LIVE" },
      finds: ["undecided"],
    },
    "an empty webroot without code": {
      live: { webroot: "", initialized: { ...all, code: null } },
      project: { ...project, ...noCode, hasAssets: false },
      finds: [],
    },
    "a project before its first deployment": {
      project: { status: "AWAITING_INITIAL_DEPLOYMENT" },
      finds: [],
    },
    "no status": {
      live: withInitialized({ code: null }),
      project: { hasDatabases: false },
      finds: ["undecided"],
    },
    "code, and no initialized of databases": {
      live: { ...withInitialized({}, listed), initialized: { code: null, assets: null } },
      project,
      finds: ["violated", "undecided"],
    },
  });
});

describe("restrictedDatabases", () => {
  const findingsOf = (databases: object[]) =>
    auditProject(shopWith({ databases }), [restrictedDatabases()]);
  /** Returns the findings about a database. */
  const findingsAbout = (allowedIP: unknown) =>
    findingsOf([{ name: "shop_live", associationId: 5, allowedIP }]);

  const values = {
    violated: [
      ...[null, "0.0.0.0/0", "::/0", "0.0.0.0", "::", "%", "*", "10.0.0.0/0", "0:0:0::/0"],
      ...["10.0.0.1, 0.0.0.0/0", "10.0.0.1 %", "::0.0.0.0"],
      // wider than any private network
      ...["0.0.0.0/2", "10.0.0.0/7", "8000::/1", "fc00::/6"],
      // lists
      ...[["192.0.2.7", "0.0.0.0/0"], ["192.0.2.7,*"], [{ any: true }, "::/0"]],
    ],
    followed: [
      ...["192.0.2.7", "10.0.0.0/8", "2001:db8::1", "2001:db8::/32", "192.0.2.7/32"],
      ...["192.0.2.7, 192.0.2.8 2001:db8::1", "fe80::1%eth0"],
      // lists
      ["192.0.2.7", "10.0.0.0/8"],
      // private networks
      "fc00::/7",
    ],
    undecided: [
      ...["", "192.168.%", "localhost", "10.0.0.0/255.255.255.0", "10.0.0.0/33", "10.0.0"],
      ...["1.2.3.4/", { range: "10.0.0.0/8" }, true, undefined],
      // lists
      ...[[], [[]], ["192.0.2.7", "office"], [7]],
    ],
  };
  for (const [state, allowedIPs] of Object.entries(values)) {
    for (const allowedIP of allowedIPs) {
      it(`is ${state} with ${JSON.stringify(allowedIP)}`, () => {
        const states = findingsAbout(allowedIP).map((finding) => finding.state);
        assert.deepEqual(states, state === "followed" ? [] : [state]);
      });
    }
  }

  it("has a subject that changes with the allowedIP, and not with its order", () => {
    const subjectOf = (allowedIP: unknown) => findingsAbout(allowedIP)[0]?.subject;
    for (const equal of [["10.%", "192.168.%"], ["192.168.%", "10.%", "10.%"], "192.168.% 10.%"]) {
      const subject = 'database shop_live (associationId 5), allowedIP "10.%", "192.168.%"';
      assert.equal(subjectOf(equal), subject);
    }
    const different = ["localhost", ["localhost", "office"], { public: true }, {}, [], [7], ["7x"]];
    assert.equal(new Set(different.map(subjectOf)).size, different.length);
  });

  it("still finds an open database if others lack the field", () => {
    const databases = [{ name: "a" }, { name: "b", allowedIP: null }];
    const subjects = findingsOf(databases).map(({ state, subject }) => `${state} ${subject}`);
    assert.deepEqual(subjects, ["violated database b", "undecided missing databases[a].allowedIP"]);
  });

  it("has a finding for each database, and subjects that tell those with one name apart", () => {
    // The service may list a database twice.
    const databases = [7, 8, undefined, undefined].map((associationId) => ({
      ...{ name: "a b", associationId, allowedIP: null },
    }));
    const subjects = findingsOf(databases).map(({ subject }) => subject);
    assert.deepEqual(subjects, [
      'database "a b" (associationId 7)',
      'database "a b" (associationId 8)',
      'database "a b"',
    ]);
  });
});

describe("a rule about databases", () => {
  for (const { databases, hasDatabases, finds } of [
    { finds: ["live missing databases, hasDatabases"] },
    { hasDatabases: true, finds: ["live missing databases"] },
    { hasDatabases: false, finds: [] },
    { databases: [], finds: ["- missing hasDatabases"] },
    { databases: [], hasDatabases: true, finds: ["- databases"] },
    { databases: [], hasDatabases: false, finds: [] },
  ]) {
    it(`is ${finds.length === 0 ? "followed" : "undecided"} if databases are ${JSON.stringify(databases)} and hasDatabases is ${hasDatabases}`, () => {
      for (const rule of [restrictedDatabases(), unsharedDatabases()]) {
        const found = auditProject(shopWith({ databases }, { hasDatabases }), [rule]);
        const seen = found.map(({ environmentId = "-", subject }) => `${environmentId} ${subject}`);
        assert.deepEqual(seen, finds);
        assert.ok(found.every(({ state }) => state === "undecided"));
      }
    });
  }
});

describe("webrootLocation", () => {
  const folders = ["/var/www/", "/srv/www", "/var/www/shared", "/var/www/a/b"];
  /** With a word of the message, if the webroot is not accepted. */
  const webroots = {
    "/var/www/shop": undefined,
    "/srv//www/./shop/": undefined,
    "/var/www/shared/shop": undefined,
    "/var/www/shop/.github": undefined,
    "/var/www/shop/.git/hooks": ".git folder",
    "/var/www/shop/.Git": ".git folder",
    "/var/www": "share",
    "/var/www/shared/": "share",
    "/var/www/a": "share",
    "/var/www-evil/shop": "not in",
    "var/www/shop": "not in",
    "/": "not in",
    "/var/www/../../etc": "..",
  };
  for (const [webroot, word] of Object.entries(webroots)) {
    it(`${word === undefined ? "accepts" : "does not accept"} the webroot ${webroot}`, () => {
      const found = auditProject(shopWith({ webroot }), [webrootLocation({ folders })]);
      assert.deepEqual(
        found.map(({ state, message }) => [state, message.includes(` ${word}`)]),
        word === undefined ? [] : [["violated", true]],
      );
    });
  }

  itFinds(webrootLocation(), {
    "an empty webroot": { live: { webroot: "" }, finds: ["undecided"] },
    "no webroot": { finds: ["undecided"] },
    "no webroot without code": { project: noCode, finds: [] },
    "an empty webroot without code": { live: { webroot: "" }, project: noCode, finds: [] },
  });
});
