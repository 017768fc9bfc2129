import assert from "node:assert/strict";
import {
  defineRule,
  guardedProductionBranch,
  houseRules,
  keptDeployments,
  type ProjectToCheck,
  type Rule,
} from "../../../audit/policies.js";
import { readableProject } from "../../../audit/houseRules/readableProject.js";
import type { AcceptedEntry } from "../../../audit/report/acceptance.js";
import { checkedPlaces } from "../../../audit/report/report.js";
import { type AuditContext, createReport } from "../../../audit/report/createReport.js";
import { failureOf } from "../../support/failure.js";

/** Returns a project with the environments live and stage. */
function project(projectId: string, fields: object = {}): ProjectToCheck {
  const environments = ["live", "stage"].map((environmentId) => ({
    ...{ environmentId, deploymentsToKeep: 1, branch: { name: "main", guarded: true } },
  }));
  return { projectId, name: projectId, hasCode: true, environments, ...fields };
}

const unreadable = { projectId: "closed", name: "closed", inaccessible: "FORBIDDEN" };
const [shop, blog] = [project("shop"), project("blog")];
const filtered = { filters: ["name*=s"], listedProjects: 9 };

function reportOn(
  projects: readonly ProjectToCheck[],
  rules: readonly Rule[],
  changes: Partial<AuditContext> = {},
) {
  const context = {
    tool: { name: "pulumi-project-service", version: "1.2.3" },
    service: "https://projects.example.com",
    createdAt: "2026-03-02T09:30:00.000Z",
    scope: { filters: [], listedProjects: projects.length },
    failOn: "note",
    acceptedEntries: [],
  } as const;
  return createReport({ ...context, ...changes }, projects, rules);
}

describe("what a rule checked", () => {
  const ofProjects = defineRule({
    ...{ name: "own-rule", description: "d", reason: "r", remedy: "m" },
    checkProject: () => [],
  });

  it("is counted: environments, or projects if the rule checks no environments", () => {
    const rules = [
      readableProject,
      guardedProductionBranch(),
      keptDeployments(),
      keptDeployments({ environments: ["stage"] }),
      ofProjects,
    ];
    const empty = project("empty", { environments: [] });
    const silent = project("silent", { environments: undefined });
    const report = reportOn([shop, blog, empty, silent, unreadable], rules);
    assert.deepEqual(
      report.rules.map(({ environments, checked }) => [environments, checked]),
      [
        [undefined, { projects: 5 }],
        [["live"], { environments: 2 }],
        [undefined, { environments: 4 }],
        [["stage"], { environments: 2 }],
        [undefined, { projects: 4 }],
      ],
    );
    assert.deepEqual(
      report.projects.map((each) => report.rules.map((rule) => checkedPlaces(rule, each).join())),
      [
        ["", "live", "live,stage", "stage", ""],
        ["", "live", "live,stage", "stage", ""],
        ["", "", "", "", ""],
        ["", "", "", "", ""],
        ["", "", "", "", ""],
      ],
    );
    const [ofShop, ofUnreadable] = [report.projects[0]!, report.projects.at(-1)!];
    assert.deepEqual(checkedPlaces(report.rules[4]!, ofShop), [undefined]);
    assert.deepEqual(checkedPlaces(report.rules[4]!, ofUnreadable), []);
  });

  it("is nothing if no project has the environments of a house rule, which nobody chose", () => {
    const staging = { ...shop, environments: [{ environmentId: "stage" }] };
    const { rules } = reportOn([staging], [guardedProductionBranch()]);
    assert.deepEqual(rules[0]?.checked, { environments: 0 });
  });

  it("leaves out a project that could not be read, for which only readable-project has a finding", () => {
    const { findings, projects } = reportOn([shop, unreadable], [readableProject, ...houseRules()]);
    assert.deepEqual(projects[1], unreadable);
    const found = findings.filter(({ projectId }) => projectId === "closed");
    assert.deepEqual(
      found.map(({ rule, state, subject }) => [rule, state, subject]),
      [["readable-project", "unknown", "FORBIDDEN"]],
    );
  });
});

describe("an environment that a rule names and no project has", () => {
  const rules = [keptDeployments({ environments: ["live", "stag"] })];

  it("is refused, with what there is", async () => {
    const { message } = await failureOf(() => reportOn([shop, blog], rules), "ARGUMENT_INVALID");
    assert.equal(
      message,
      "The rule kept-deployments is for the environment stag, but no project has it. Did you mean stage? The environments are live, stage. Correct the option environments of the rule.",
    );
    const own = defineRule({ ...rules[0]!, environments: ["prod"] });
    await failureOf(() => reportOn([shop], [own]), "ARGUMENT_INVALID");
  });

  for (const [title, projects, changes] of [
    ["the audit had a filter", [shop], { scope: filtered }],
    ["a project could not be read", [shop, { ...unreadable, environments: [] }], {}],
    [
      "the service omits the environments of a project",
      [shop, project("x", { environments: undefined })],
      {},
    ],
    ["there is no project", [], {}],
  ] as const) {
    it(`only shows in the counts if ${title}`, () => {
      const report = reportOn(projects, rules, changes);
      const { length } = projects;
      assert.deepEqual(report.rules[0]?.checked, { environments: length === 0 ? 0 : 1 });
    });
  }
});

describe("an accepted entry", () => {
  const rules = [keptDeployments()];
  const entry: AcceptedEntry = {
    ...{ rule: "kept-deployments", projectId: "shop", environmentId: "live" },
    ...{ subject: "deploymentsToKeep 1", state: "violated", reason: "known", until: "2026-03-02" },
  };
  const summaryWith = (changes: Partial<AcceptedEntry>, projects = [shop]) => {
    const acceptedEntries = [{ ...entry, ...changes }];
    const { summary, staleAcceptances } = reportOn(projects, rules, { acceptedEntries });
    return [summary.failing, summary.accepted, staleAcceptances.length];
  };

  it("covers its finding until its last day, and no other one", () => {
    assert.deepEqual(summaryWith({}), [1, 1, 0]);
    assert.deepEqual(summaryWith({ until: "2026-03-01" }), [2, 0, 0]);
    for (const other of [
      { rule: "restricted-databases" },
      { projectId: "blog" },
      { environmentId: "stag" },
      { subject: "deploymentsToKeep 2" },
      { state: "unknown" },
    ] as const) {
      assert.deepEqual(summaryWith(other), [2, 0, 1], JSON.stringify(other));
    }
  });

  it("for an unknown finding covers no violation that comes later", () => {
    const missing = { environments: [{ environmentId: "live" }] };
    const unknown = { subject: "missing deploymentsToKeep", state: "unknown" } as const;
    assert.deepEqual(summaryWith(unknown, [project("shop", missing)]), [0, 1, 0]);
    assert.deepEqual(summaryWith(unknown), [2, 0, 1]);
  });

  it("of a database covers no other one, and none that is open beside a missing field", () => {
    const databases = [{ name: "a" }, { name: "b", allowedIP: "192.0.2.7" }];
    const subjectsOf = (...changed: object[]) =>
      reportOn(
        [project("shop", { environments: [{ environmentId: "live", databases: changed }] })],
        houseRules().filter(({ name }) => name === "restricted-databases"),
      ).findings.map(({ subject }) => subject);
    assert.deepEqual(subjectsOf(...databases), ["missing databases[a].allowedIP"]);
    assert.deepEqual(subjectsOf({ ...databases[0], name: "c" }), [
      "missing databases[c].allowedIP",
    ]);
    assert.deepEqual(subjectsOf(databases[0]!, { ...databases[1], allowedIP: "%" }), [
      "missing databases[a].allowedIP; database b",
    ]);
  });

  it("is stale if it matches nothing, unless the audit had a filter", () => {
    const stale = [{ ...entry, rule: "gone" }];
    assert.deepEqual(reportOn([shop], rules, { acceptedEntries: stale }).staleAcceptances, stale);
    const changes = { acceptedEntries: stale, scope: filtered };
    assert.deepEqual(reportOn([shop], rules, changes).staleAcceptances, []);
  });
});
