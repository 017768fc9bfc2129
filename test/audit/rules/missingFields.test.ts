import assert from "node:assert/strict";
import {
  type AuditedEnvironment,
  type AuditedProject,
  auditProject,
  auditProjects,
  defineRule,
  type Finding,
  type Problem,
  type ProjectToCheck,
  type Rule,
  type RuleDefinition,
  violated,
} from "../../../audit/policies.js";
import { mappedProject, setAt } from "../../support/project.js";

const texts = { name: "own-rule", description: "d", reason: "r", remedy: "m" };

function own(definition: Partial<RuleDefinition>): Rule {
  return defineRule({ ...texts, ...definition });
}

function ofEnvironment(check: NonNullable<Rule["checkEnvironment"]>): Rule {
  return own({ checkEnvironment: check });
}

/** Returns the place, the state and the subject of each finding. */
function found(project: ProjectToCheck, rule: Rule): string[] {
  return shown(auditProject(project, [rule]));
}

function shown(findings: readonly Finding[]): string[] {
  return findings.map(({ projectId, environmentId = "-", state, subject }) =>
    [projectId, environmentId, state, subject].join(" "),
  );
}

function bare(fields: object = {}, project: object = {}): ProjectToCheck {
  const environments = [{ environmentId: "live", ...fields }];
  return { projectId: "p-1", name: "shop", environments, ...project };
}

describe("a missing field that a check reads", () => {
  const always = (...read: unknown[]): Problem[] => [
    violated("Wrong.", { subject: `of ${read.length}` }),
  ];

  it("leaves one undecided finding of its environment, and all problems of others", () => {
    const shop = mappedProject((project) => {
      setAt(project, ["projectEnvironments", 0, "projectEnvironmentCode", "webroot"], undefined);
    });
    const rule = ofEnvironment(({ webroot, environmentId }) => [
      violated("One.", { subject: `one ${environmentId}` }),
      violated(`Two ${webroot}.`, { subject: "two" }),
    ]);
    assert.deepEqual(found(shop, rule), [
      "p-1 live undecided missing webroot",
      "p-1 stage violated one stage",
      "p-1 stage violated two",
      "p-1 test violated one test",
      "p-1 test violated two",
    ]);
    assert.equal(auditProject(shop, [rule])[0]?.level, "warning");
  });

  it("makes a check without problems undecided, and one that breaks at it", () => {
    const silent = ofEnvironment(({ currentTag }) => (currentTag === "v1" ? always() : []));
    assert.deepEqual(found(bare(), silent), ["p-1 live undecided missing currentTag"]);
    const breaking = ofEnvironment(({ branch }) => (branch!.guarded! ? [] : always()));
    assert.deepEqual(found(bare(), breaking), ["p-1 live undecided missing branch"]);
    assert.deepEqual(found(bare({ branch: {} }), breaking), [
      "p-1 live undecided missing branch.guarded",
    ]);
    const refusing = ofEnvironment(({ webroot }) => (webroot ? [] : assert.fail("no webroot")));
    assert.deepEqual(found(bare(), refusing), ["p-1 live undecided missing webroot"]);
    const ofProject = own({
      checkProject: ({ codeRepository }) => (codeRepository!.group === "a" ? always() : []),
    });
    assert.deepEqual(found(bare(), ofProject), ["p-1 - undecided missing codeRepository"]);
  });

  type Check = (environment: AuditedEnvironment, project: AuditedProject) => Problem[];

  const reads: Readonly<Record<string, { live?: object; check: Check; subject: string }>> = {
    null: {
      live: { webroot: null },
      check: ({ webroot }) => always(webroot),
      subject: "missing webroot",
    },
    "a field of some list element, by the name and id of the element": {
      live: {
        databases: [
          { name: "a b", associationId: 7 },
          { name: "c", allowedIP: null },
        ],
      },
      check: ({ databases }) => databases!.flatMap((each) => always(each.allowedIP)).slice(1),
      subject: 'missing databases["a b" 7].allowedIP',
    },
    "a field of a group": {
      check: (e) => always(e.initialized!.code, e.deploymentTargetGroupIds!.code),
      subject: "missing deploymentTargetGroupIds.code, initialized.code",
    },
    "all fields of a spread": {
      live: { branch: {} },
      check: ({ branch }) => always({ ...branch }),
      subject: "missing branch.guarded, branch.name",
    },
    "a field of another environment": {
      check: (_, { environments }) => always(environments[1]!.currentTag),
      subject: "missing environments[stage].currentTag",
    },
  };
  for (const [what, { live, check, subject }] of Object.entries(reads)) {
    it(`may be ${what}`, () => {
      const project = bare(live);
      const environments = [...project.environments!, { environmentId: "stage" }];
      const rule = own({ environments: ["live"], checkEnvironment: check });
      assert.deepEqual(found({ ...project, environments }, rule), [
        `p-1 live undecided ${subject}`,
      ]);
    });
  }

  const others: Readonly<Record<string, Check>> = {
    "missingFields is read": ({ missingFields }) => always(missingFields),
    "`in` tests for the field": (environment) => always("webroot" in environment),
    "a field that is null has a documented null": (environment) =>
      always(environment.importBranchOrTag),
    "the field is there": ({ order, databases }) => [...always(order)].slice(databases!.length - 2),
    "JSON is made of what is there": ({ databases }) => always(JSON.stringify(databases![1])),
  };
  const whole = { name: "b", associationId: 1, databaseType: "MYSQL", allowedIP: null };
  for (const [what, check] of Object.entries(others)) {
    it(`does not count if ${what}`, () => {
      const environment = { importBranchOrTag: null, order: 0, databases: [{ name: "a" }, whole] };
      assert.deepEqual(found(bare(environment), ofEnvironment(check)), ["p-1 live violated of 1"]);
    });
  }

  it("is the list of environments for a rule that checks environments", () => {
    const rule = own({
      checkEnvironment: () => [],
      checkProject: ({ environments }) => [...environments].map(() => violated("x")),
    });
    for (const project of [
      { environments: undefined },
      { environments: null },
      { environments: [], missingFields: ["environments"] },
    ]) {
      assert.deepEqual(found(bare({}, project), rule), ["p-1 - undecided missing environments"]);
    }
    assert.deepEqual(found(bare({}, { environments: [] }), rule), []);
  });

  it("gives a rule over all projects one undecided finding for each project that lacks it", () => {
    const rule = own({
      checkProjects: (projects) =>
        projects
          .filter(({ domain }) => domain !== "a")
          .map(({ projectId }) =>
            violated("Not a.", { projectId, environmentId: "live", subject: "x" }),
          ),
    });
    const projects = [
      bare({}, { domain: "a" }),
      bare({}, { projectId: "p-2", domain: "b" }),
      bare({}, { projectId: "p-3" }),
      bare({}, { projectId: "p-4" }),
    ];
    assert.deepEqual(shown(auditProjects(projects, [rule])), [
      "p-2 live violated x",
      "p-3 - undecided missing domain",
      "p-4 - undecided missing domain",
    ]);
    assert.deepEqual(found(projects[3]!, rule), []);
  });
});
