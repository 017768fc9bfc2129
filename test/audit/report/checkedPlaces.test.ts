import assert from "node:assert/strict";
import { defineRule, houseRules, type ProjectToCheck, type Rule } from "../../../audit/policies.js";
import { readableProject } from "../../../audit/houseRules/readableProject.js";
import type { AcceptedEntry } from "../../../audit/report/acceptance.js";
import { type AuditContext, createReport } from "../../../audit/report/createReport.js";
import { htmlFormat } from "../../../audit/report/html/htmlFormat.js";
import { junitFormat } from "../../../audit/report/junitFormat.js";
import type { AuditReport, FormatOptions } from "../../../audit/report/report.js";
import { sarifFormat } from "../../../audit/report/sarifFormat.js";
import { acceptanceSentence, summarySentence } from "../../../audit/report/sentences.js";
import { indeterminate, violated } from "../../../audit/rules/problem.js";

/** Returns a project that follows the rules of these tests. */
function project(projectId: string, fields: object = {}): ProjectToCheck {
  const environments = ["live", "stage"].map((environmentId) => ({
    environmentId,
    deploymentsToKeep: 5,
    databases: [{ name: `${projectId}_${environmentId}`, databaseType: "MYSQL" }],
    deploymentTargetGroupIds: { databases: "databases-1" },
  }));
  return { projectId, name: projectId, type: "TYPO3", environments, ...fields };
}

const unreadable: ProjectToCheck = {
  projectId: "closed",
  name: "closed",
  environments: [],
  inaccessible: "FORBIDDEN",
};

function reportOn(
  projects: readonly ProjectToCheck[],
  rules: readonly Rule[],
  changes: Partial<AuditContext> = {},
): AuditReport {
  return createReport(
    {
      tool: { name: "pulumi-project-service", version: "1.2.3" },
      service: "https://projects.example.com",
      createdAt: "2026-03-02T09:30:00.000Z",
      scope: { filters: [], listedProjects: projects.length },
      failOn: "note",
      acceptedEntries: [],
      ...changes,
    },
    projects,
    rules,
  );
}

type Options = NonNullable<Parameters<typeof houseRules>[0]>;
const only = (key: keyof Options, options: object = {}): Rule[] =>
  houseRules({ [key]: options }).filter((rule) => rule.key === key);

const entry = (rule: string, projectId: string, environmentId?: string): AcceptedEntry => ({
  rule,
  projectId,
  ...(environmentId === undefined ? {} : { environmentId }),
  subject: "what was accepted",
  state: "violated",
  reason: "It is replaced in 2027.",
});

describe("an accepted entry that matches no finding", () => {
  const live = entry("kept-deployments", "shop", "live");
  const whole = entry("kept-deployments", "shop");
  const typo3 = { projects: ["type=TYPO3"] };
  const stale = (
    projects: readonly ProjectToCheck[],
    rules: readonly Rule[],
    acceptedEntries: readonly AcceptedEntry[],
    scope = { filters: [] as string[], listedProjects: projects.length },
  ) => reportOn(projects, rules, { acceptedEntries, scope }).staleAcceptances;

  for (const [what, projects, rules] of [
    ["everything", [project("shop")], only("keptDeployments")],
    ["the project of the option projects", [project("shop")], only("keptDeployments", typo3)],
    [
      "the environment of the option environments",
      [project("shop")],
      only("keptDeployments", { environments: ["live"] }),
    ],
    [
      "a project without the environment",
      [project("shop", { environments: [] })],
      only("keptDeployments"),
    ],
    ["the other projects", [project("blog")], only("keptDeployments")],
    [
      "its project, although it is undecided about another one",
      [project("shop"), project("blog", { environments: [{ environmentId: "live" }] })],
      only("keptDeployments"),
    ],
  ] as const) {
    it(`is stale if its rule checked ${what}`, () => {
      assert.deepEqual(stale(projects, rules, [live]), [live]);
    });
  }

  for (const [what, projects, rules] of [
    [
      "could not be read",
      [project("blog"), { ...unreadable, projectId: "shop" }],
      only("keptDeployments"),
    ],
    [
      "is left out by the option projects",
      [project("shop", { type: "HTML" })],
      only("keptDeployments", typo3),
    ],
    [
      "may be left out by the option projects, because the service omits a field",
      [project("shop", { type: undefined })],
      only("keptDeployments", typo3),
    ],
    [
      "comes without its environments",
      [project("shop", { environments: [], missingFields: ["environments"] })],
      only("keptDeployments"),
    ],
    [
      "comes without its environments, and the rule says nothing about it",
      [project("shop", { environments: [], missingFields: ["environments"] })],
      [
        defineRule({
          name: "kept-deployments",
          description: "d",
          reason: "r",
          remedy: "m",
          checkEnvironment: () => [],
        }),
      ],
    ],
  ] as const) {
    it(`is not stale if its project ${what}`, () => {
      assert.deepEqual(stale(projects, rules, [live]), []);
    });
  }

  it("is not stale if its environment is left out by the option environments", () => {
    const rules = only("keptDeployments", { environments: ["stage"] });
    assert.deepEqual(stale([project("shop")], rules, [live]), []);
  });

  it("is not stale if its rule is undecided about its project", () => {
    const omitted = project("shop", { environments: [{ environmentId: "live" }] });
    assert.deepEqual(stale([omitted], only("keptDeployments"), [live, whole]), []);
    const unlisted = project("shop", {
      hasDatabases: true,
      environments: [{ environmentId: "live", databases: [] }],
    });
    const database = entry("restricted-databases", "shop", "live");
    assert.deepEqual(stale([unlisted], only("restrictedDatabases"), [database]), []);
  });

  describe("of a rule that compares projects", () => {
    const shared = entry("unshared-databases", "shop", "live");
    const rules = only("unsharedDatabases");
    const both = [project("shop"), project("blog")];

    it("is stale if the rule compared all projects of the service", () => {
      assert.deepEqual(stale(both, rules, [shared]), [shared]);
      const scope = { filters: ["name~=."], listedProjects: 2 };
      assert.deepEqual(stale(both, rules, [shared], scope), [shared]);
    });

    it("is not stale if --filter narrowed what it compared", () => {
      const scope = { filters: ["name~=."], listedProjects: 3 };
      assert.deepEqual(stale(both, rules, [shared], scope), []);
    });

    it("is not stale if another project could not be read, or is left out", () => {
      assert.deepEqual(stale([...both, unreadable], rules, [shared]), []);
      const others = [...both, project("page", { type: "HTML" })];
      assert.deepEqual(stale(others, only("unsharedDatabases", typo3), [shared]), []);
    });

    it("is not stale if the rule is undecided about another project", () => {
      const omitted = project("page", { environments: [], missingFields: ["environments"] });
      assert.deepEqual(stale([...both, omitted], rules, [shared]), []);
    });

    it("is stale in any case if its project was deleted", () => {
      const gone = entry("unshared-databases", "gone");
      assert.deepEqual(stale([...both, unreadable], rules, [gone]), [gone]);
    });
  });
});

describe("a place that no rule checked", () => {
  const rules = [
    readableProject,
    ...only("keptDeployments", { environments: ["live"], projects: ["type=TYPO3"] }),
    ...only("linkedAssets"),
  ];
  const projects = [
    project("shop", { hasAssets: false }),
    project("page", { type: "HTML", hasAssets: false }),
    unreadable,
  ];
  const report = reportOn(projects, rules);

  it("is no case of JUnit", () => {
    const cases = [
      ...junitFormat(report).matchAll(/classname="(.*?)" name="(.*?)" time="0"(\/?)>/g),
    ];
    const places = (id: string) =>
      ["", ", environment live", ", environment stage"].map((place) => `${id} (${id})${place}`);
    assert.deepEqual(
      cases.map(([, rule, name, end]) => `${rule}: ${name}${end === "/" ? "" : " found"}`),
      [
        ...["shop (shop)", "page (page)", "closed (closed) found"].map(
          (name) => `readable-project: ${name}`,
        ),
        ...["shop (shop)", "shop (shop), environment live"].map(
          (name) => `kept-deployments: ${name}`,
        ),
        ...[...places("shop"), ...places("page")].map((name) => `linked-assets: ${name}`),
      ],
    );
  });

  it("does not count in what a rule checked, in every format that has a place for it", () => {
    const counts = ["3 projects", "1 environment", "4 environments"];
    for (const text of [
      htmlFormat(report),
      junitFormat(report),
      sarifFormat(report, { omitAccepted: false } as FormatOptions),
    ]) {
      const found = [...text.matchAll(/(\d+ (?:projects?|environments?))(?: checked|"\/>|"\}\})/g)];
      assert.deepEqual([...new Set(found.map(([, count]) => count))], counts);
    }
  });

  it("is told apart in the JSON report", () => {
    assert.deepEqual(
      report.projects.map(({ projectId, environmentIds, inaccessible, uncheckedBy }) => [
        projectId,
        environmentIds,
        inaccessible,
        uncheckedBy,
      ]),
      [
        ["shop", ["live", "stage"], undefined, []],
        ["page", ["live", "stage"], undefined, ["kept-deployments"]],
        ["closed", undefined, "FORBIDDEN", ["kept-deployments", "linked-assets"]],
      ],
    );
    const omitted = project("shop", { environments: [], missingFields: ["environments"] });
    assert.equal(reportOn([omitted], rules).projects[0]?.environmentIds, undefined);
  });

  it("is in the summary if its project could not be read, also if that is accepted", () => {
    const { rule, projectId, subject, state } = report.findings[0]!;
    const acceptedEntries = [{ rule, projectId, subject, state, reason: "known" }];
    for (const each of [report, reportOn(projects, rules, { acceptedEntries })]) {
      assert.match(summarySentence(each), /^3 projects audited.* 1 project could not be read\./);
    }
  });
});

describe("the number of projects that a rule compared", () => {
  const rule = (name: string, seen: number[]) =>
    defineRule({
      name,
      description: "d",
      reason: "r",
      remedy: "m",
      checkProjects: (projects) => {
        seen.push(projects.length);
        return [];
      },
    });
  const projects = [
    project("shop"),
    project("blog"),
    project("page", { type: "HTML" }),
    project("odd", { type: undefined }),
    unreadable,
  ];

  it("leaves out projects that could not be read", () => {
    const seen: number[] = [];
    const { rules } = reportOn(projects, [readableProject, rule("own-rule", seen)]);
    assert.deepEqual([rules[1]?.comparedProjects, seen], [4, [4]]);
  });

  it("leaves out projects that the option projects leaves out, and those for which that is open", () => {
    const report = reportOn(projects, [
      ...only("unsharedDatabases", { projects: ["type=TYPO3"] }),
      ...only("webrootLocation"),
    ]);
    assert.deepEqual(
      report.rules.map(({ comparedProjects }) => comparedProjects),
      [2, 4],
    );
    assert.match(
      summarySentence(report),
      / unshared-databases compared only 2 projects\. webroot-location compared only 4 projects\.$/,
    );
  });

  it("is not in the summary if the rule compared all projects of the service", () => {
    const report = reportOn([project("shop"), project("blog")], only("unsharedDatabases"));
    assert.doesNotMatch(summarySentence(report), /compared only/);
  });
});

describe("the text of a finding that is not accepted", () => {
  const rule = defineRule({
    name: "two-problems",
    description: "d",
    reason: "r",
    remedy: "m",
    checkProject: () => [
      violated("One.", { subject: "one" }),
      indeterminate("Two.", { subject: "two" }),
    ],
  });
  const sentenceWith = (...entries: readonly Partial<AcceptedEntry>[]) => {
    const acceptedEntries = entries.map((each) => ({ ...entry("two-problems", "shop"), ...each }));
    const { findings } = reportOn([project("shop")], [rule], { acceptedEntries });
    return acceptanceSentence(findings.find(({ subject }) => subject === "two")!).join();
  };

  it("names entries for other findings of its rule and place, whether they match one or not", () => {
    assert.equal(
      sentenceWith({ subject: "one", until: "2026-03-02" }, {}),
      'Not accepted: 2 entries for this rule and this place accept something else, such as violated "one": It is replaced in 2027.',
    );
    assert.match(sentenceWith({}), /accepts something else, violated "what was accepted": /);
  });

  it("names no entry that has expired", () => {
    assert.equal(sentenceWith({ subject: "one", until: "2026-03-01" }), "");
    assert.equal(sentenceWith({ until: "2026-03-01" }), "");
  });
});
