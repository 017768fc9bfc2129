import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  type AuditedProject,
  checkProject,
  type Finding,
  type HouseRule,
  houseRules,
  keptDeployments,
  linkedAssets,
  placeOf,
  restrictedDatabases,
  sentenceOf,
  unsharedDatabases,
  webrootLocation,
} from "../../../audit/policies.js";
import type { SandboxEnvironment } from "../../../sandbox/index.js";
import { failureOf } from "../../support/failure.js";
import { mappedProject } from "../../support/project.js";
import { repository } from "../../support/paths.js";
import { LeakSearch } from "../../support/leakSearch.js";

const shop = mappedProject();

describe("houseRules", () => {
  it("has findings with place, problem and remedy, and shows each text of the service on one line", () => {
    const hostile = mappedProject((project) => {
      const environment = project.projectEnvironments[0] as SandboxEnvironment;
      project.name = "shop\n::error::forged\u202e";
      environment.environmentId = "live\u001b[31m";
      environment.projectEnvironmentCode.webroot = `/tmp/${"x".repeat(500)}\u0000`;
    });
    const findings = checkProject(hostile, houseRules());
    const webroot = findings.find(({ rule }) => rule === "webroot-location") as Finding;
    assert.equal(
      placeOf(webroot),
      "Project shop\\n:\\u003aerror:\\u003aforged\\u202e (p-1), environment live\\u001b[31m",
    );
    assert.match(
      sentenceOf(webroot),
      /rule webroot-location: The webroot \/tmp\/x+… is not in an allowed folder/,
    );
    for (const finding of findings)
      assert.doesNotMatch(sentenceOf(finding), /[\n\u0000\u001b\u202e]/);
  });

  it("has no credentials in its findings, whatever the project contains", () => {
    const secrets: string[] = [];
    const secret = (text: string) => {
      secrets.push(text);
      return text;
    };
    const projectWithSecrets = {
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
    const findings = checkProject(
      projectWithSecrets,
      houseRules({ keptDeployments: { minimum: 9 } }),
    );
    assert.equal(new Set(findings.map(({ rule }) => rule)).size, 5);
    new LeakSearch(secrets).text("the findings", JSON.stringify(findings));
  });

  it("has only unknown findings for a project whose fields are missing", () => {
    const findings = checkProject(
      { projectId: "p-1", name: "shop", environments: [{ environmentId: "live" }] },
      houseRules(),
    );
    assert.ok(findings.length >= 4);
    for (const { state, remedy } of findings) {
      assert.equal(state, "unknown");
      assert.match(remedy, /^Look it up in the Project Service\. The rule requires: /);
    }
  });

  it("has an unknown finding of each rule about environments if the service omits them", () => {
    const findings = checkProject(
      { ...shop, environments: [], missingFields: ["environments"] },
      houseRules(),
    );
    const rules = houseRules().filter(({ snapshotsOnly }) => !snapshotsOnly);
    assert.deepEqual(
      findings.map(({ rule, state, subject }) => [rule, state, subject]),
      rules.map(({ name }) => [name, "unknown", "environments"]),
    );
  });

  describe("take the option environments and projects", () => {
    const all = { environments: ["stage"], projects: ["type=MAGENTO"] };
    for (const { key } of houseRules().filter(({ snapshotsOnly }) => !snapshotsOnly)) {
      it(`in ${key}`, () => {
        const bad = badProject();
        const check = (options: object) => {
          const [rule] = houseRules({ [key]: options }).filter((one) => one.key === key);
          return rule!.checkAll([bad]).map(({ environmentId }) => environmentId);
        };
        assert.ok(new Set(check({ environments: ["live", "stage"] })).size === 2, key);
        assert.deepEqual(new Set(check(all)), new Set(["stage"]));
        assert.deepEqual(check({ ...all, projects: ["type=TYPO3"] }), []);
        const [finding] = houseRules({ [key]: all })
          .filter((one) => one.key === key)
          .flatMap((rule) => rule.check({ ...bad, type: undefined, missingFields: ["type"] }));
        assert.match(finding!.message, /omits type, so it is open whether the rule applies/);
      });
    }

    /** Returns a project whose environments live and stage violate every rule. */
    function badProject() {
      return mappedProject((project) => {
        project.projectEnvironments.splice(2);
        for (const environment of project.projectEnvironments) {
          const { projectEnvironmentCode: code, projectEnvironmentDatabases } = environment;
          code.branch.guarded = false;
          code.deploymentsToKeep = 1;
          code.webroot = "/tmp/x";
          code.initialized = null;
          projectEnvironmentDatabases.deploymentTargetGroupId = "shared";
          for (const database of projectEnvironmentDatabases.databases) {
            database.name = "shared";
            database.allowedIP = null;
          }
          environment.symLinks = [];
        }
      });
    }
  });

  describe("with conditions on projects are unknown if the service omits", () => {
    const rule = (condition: string) => keptDeployments({ projects: [condition] });
    const project = (environment: object, fields: object = {}) => ({
      ...{ projectId: "p-1", name: "shop", missingFields: [], ...fields },
      environments: [
        { environmentId: "live", missingFields: [], deploymentsToKeep: 1, ...environment },
      ],
    });
    for (const [condition, checked, missing] of [
      [
        "environments.databases.databaseType=MYSQL",
        project({ databases: [{ name: "a", databaseType: "REDIS" }, { name: "b" }] }),
        "environments.databases.databaseType",
      ],
      [
        "environments.databases.databaseType=MYSQL",
        project({ databases: [], missingFields: ["databases"] }),
        "environments.databases",
      ],
      ["environments.databases.name=a", project({}), "environments.databases"],
      ["environments.branch.name=main", project({ branch: {} }), "environments.branch.name"],
      ["environments.branch.name=main", project({}), "environments.branch"],
      ["codeRepository.group=a", project({}, { codeRepository: {} }), "codeRepository.group"],
      ["type=TYPO3", project({}), "type"],
      ["environments.branch.name=main", project({ branch: { name: "x" } }), undefined],
      ["environments.databases.name=a", project({ databases: [] }), undefined],
      ["type=TYPO3", project({}, { type: "x" }), undefined],
      ["type*=x", project({}, { type: "x" }), null],
    ] as const) {
      const title = missing === undefined ? "nothing" : (missing ?? "nothing that matters");
      it(`${title} for ${condition}`, () => {
        const found = rule(condition)
          .check(checked)
          .map(({ message }) => message);
        if (missing === undefined) assert.deepEqual(found, []);
        else if (missing === null) assert.deepEqual(found, ["The environment keeps 1 deployment."]);
        else
          assert.deepEqual(found, [
            `The service omits ${missing}, so it is open whether the rule applies to the project.`,
          ]);
      });
    }
  });

  describe("with the option environments", () => {
    for (const [title, stage, expected] of [
      ["does not excuse a list", { missingFields: ["databases"] }, ["databases"]],
      ["that is listed is enough", { databases: [{ name: "a", allowedIP: "192.0.2.7" }] }, []],
    ] as const) {
      it(`what another environment ${title}`, () => {
        const shop = {
          ...{ projectId: "p-1", name: "shop", hasDatabases: true },
          environments: [
            { environmentId: "live", databases: [] },
            { environmentId: "stage", ...stage },
          ],
        };
        for (const rule of [restrictedDatabases, unsharedDatabases]) {
          const found = rule({ environments: ["live"] }).check(shop);
          assert.deepEqual(
            found.map(({ subject }) => subject),
            expected,
          );
        }
      });
    }

    it("does not excuse an omitted list of assets in another environment", () => {
      const shop = {
        ...{ projectId: "p-1", name: "shop", hasAssets: true },
        environments: [
          { environmentId: "live", assetGroups: [], symLinks: [] },
          { environmentId: "stage", missingFields: ["assetGroups"] },
        ],
      };
      const found = linkedAssets({ environments: ["live"] }).check(shop);
      assert.deepEqual(
        found.map(({ subject }) => subject),
        ["assets"],
      );
    });
  });

  for (const [title, environment] of [
    ["a list with null", { databases: [null] }],
    ["a list with a text", { symLinks: ["x"] }],
    ["a list that is an object", { assetGroups: {} }],
    ["a list of missing fields that is a text", { missingFields: "databases" }],
  ] as const) {
    it(`refuses ${title}`, async () => {
      const project = { ...shop, environments: [{ environmentId: "live", ...environment }] };
      const { message } = await failureOf(
        () => checkProject(project as unknown as AuditedProject, houseRules()),
        "ARGUMENT_INVALID",
      );
      assert.match(message, /the object is not a project/);
    });
  }

  it("refuses missing fields that are no list, and a project that is inaccessible without a code", async () => {
    for (const wrong of [{ missingFields: {} }, { inaccessible: null }]) {
      const project = { ...shop, ...wrong } as unknown as AuditedProject;
      await failureOf(() => checkProject(project, houseRules()), "ARGUMENT_INVALID");
    }
  });

  it("refuses an object that is not a project, which would pass otherwise", async () => {
    for (const value of [{}, { projectId: "p-1", name: "shop" }, { ...shop, environments: [{}] }]) {
      await failureOf(() => checkProject(value, houseRules()), "ARGUMENT_INVALID");
    }
  });

  it("passes options to a rule, and leaves a rule out", () => {
    const rules = houseRules({ keptDeployments: { minimum: 7 }, linkedAssets: false });
    assert.equal(rules.length, 6);
    assert.ok(rules.some(({ description }) => description.includes("at least 7 deployments")));
  });

  it("takes a severity for each rule, also for a rule without other options", () => {
    const rules = houseRules({
      keptDeployments: { minimum: 7, severity: "warning" },
      linkedAssets: { severity: "note" },
    });
    const { name, severity } = rules.find(({ key }) => key === "linkedAssets") as HouseRule;
    assert.deepEqual([name, severity], ["linked-assets", "note"]);
    const ofShop = checkProject(shop, rules).filter(({ rule }) => rule === "kept-deployments");
    assert.deepEqual(new Set(ofShop.map(({ level }) => level)), new Set(["warning"]));
    const silent = { projectId: "p-1", name: "shop", environments: [{ environmentId: "live" }] };
    const levels = checkProject(silent, rules).map(({ rule, level }) => `${rule} ${level}`);
    assert.ok(levels.includes("kept-deployments note"));
    assert.ok(levels.includes("webroot-location warning"));
  });

  it("changes options later, and keeps the others", async () => {
    const [rule] = houseRules({ keptDeployments: { minimum: 7, severity: "warning" } }).filter(
      ({ key }) => key === "keptDeployments",
    ) as [HouseRule];
    assert.deepEqual(rule.optionsSchema.properties["minimum"]?.default, 7);
    const changed = rule.withOptions({ minimum: 9 });
    assert.deepEqual(changed.optionsSchema.properties["minimum"]?.default, 9);
    assert.equal(changed.severity, "warning");
    assert.match(changed.description, /at least 9 deployments/);
    for (const wrong of [{ maximum: 9 }, { maximum: undefined }, null, "ab"]) {
      await failureOf(() => rule.withOptions(wrong as object), "ARGUMENT_INVALID");
    }
  });

  it("keeps options that are undefined, and what a spread changed", () => {
    const rule = keptDeployments({ minimum: 5 });
    const changed = rule.withOptions({ minimum: undefined, severity: undefined });
    assert.equal(changed.optionsSchema.properties["minimum"]?.default, 5);
    const spread = { ...rule, severity: "note", name: "own-name" } as const;
    const { severity, name, description } = spread.withOptions({ minimum: 6 });
    assert.deepEqual([severity, name], ["note", "own-name"]);
    assert.match(description, /at least 6 deployments/);
    assert.equal(spread.withOptions({ severity: "warning" }).severity, "warning");
    const { withOptions } = rule;
    assert.equal(withOptions({}).severity, "error");
  });

  it("does not share options between rules", () => {
    const change = ({ optionsSchema: { properties } }: HouseRule) => {
      (properties["folders"]!.default as string[])[0] = "/nope";
      (properties["folders"]!.items as { minLength: number }).minLength = 0;
    };
    for (const create of [() => webrootLocation(), () => webrootLocation({ folders: ["/srv"] })]) {
      const rule = create();
      const before = structuredClone(rule.optionsSchema);
      const environments = [{ environmentId: "live", webroot: "/nope/shop" }];
      change(rule);
      assert.deepEqual(create().optionsSchema, before);
      assert.equal(rule.check({ projectId: "p-1", name: "shop", environments }).length, 1);
    }
  });

  for (const [options, expected] of [
    [
      { keptDeployment: {} },
      /options of houseRules cannot contain the key keptDeployment\..*keptDeployments/,
    ],
    [{ keptDeployments: true }, /options of keptDeployments must be an object/],
    [
      { keptDeployments: { minimun: 3 } },
      /options of keptDeployments cannot contain the key minimun\..*minimum/,
    ],
    [
      { keptDeployments: { minimum: "3" } },
      /minimum of keptDeployments must be a whole number, 1 or more/,
    ],
    [
      { keptDeployments: { minimum: 0 } },
      /minimum of keptDeployments must be a whole number, 1 or more/,
    ],
    [
      { guardedProductionBranch: { environments: "live" } },
      /environments of guardedProductionBranch must be a list of at least one string/,
    ],
    [
      { restrictedDatabases: { otherShapes: "fail" } },
      /otherShapes of restrictedDatabases must be one of unknown, pass/,
    ],
    [
      { keptDeployments: { projects: ["typ=TYPO3"] } },
      /In the option projects of keptDeployments, the condition typ=TYPO3: the key cannot be typ/,
    ],
    [
      { keptDeployments: { projects: ["type"] } },
      /the condition type must be a key, an operator and a value/,
    ],
    [
      { restrictedDatabases: { environments: [] } },
      /environments of restrictedDatabases must be a list of at least one string/,
    ],
    [
      { webrootLocation: { folders: ["www"] } },
      /folders of webrootLocation must contain absolute paths/,
    ],
    [{ webrootLocation: { folders: ["/var/www/.."] } }, /absolute paths/],
    [
      { keptDeployments: { severity: "high" } },
      /severity of keptDeployments must be one of error, warning, note/,
    ],
    [{ linkedAssets: { severity: null } }, /severity of linkedAssets must be one of/],
    [
      { linkedAssets: { strict: true } },
      /linkedAssets cannot contain the key strict\. The keys are environments, projects, severity\./,
    ],
  ] as const) {
    it(`refuses ${JSON.stringify(options)}`, async () => {
      const { message } = await failureOf(() => houseRules(options as never), "ARGUMENT_INVALID");
      assert.match(message, expected);
    });
  }
});

describe("the examples of the house rules", () => {
  for (const { key, examples, ...rule } of houseRules()) {
    it(`show ${key}: one violates the rule, and one follows it`, () => {
      const states = rule.check(examples.violating).map(({ state }) => state);
      assert.deepEqual(new Set(states), new Set(["violated"]));
      assert.deepEqual(rule.check(examples.passing), []);
    });
  }
});

describe("importing pulumi-project-service/policies", () => {
  it("loads no installed package: no Pulumi, no axios, no openid-client", () => {
    const script = `
      require("pulumi-project-service/policies");
      process.stdout.write(JSON.stringify(Object.keys(require.cache)));
    `;
    const printed = execFileSync(process.execPath, ["-e", script], {
      cwd: repository,
      encoding: "utf8",
    });
    const loaded = JSON.parse(printed) as string[];
    assert.ok(loaded.some((file) => file.endsWith("restrictedDatabases.js")));
    assert.deepEqual(
      loaded.filter((file) => file.includes("node_modules")),
      [],
    );
  });
});
