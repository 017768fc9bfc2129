import assert from "node:assert/strict";
import { guardedProductionBranch } from "../../../audit/builtInRules/guardedProductionBranch.js";
import { keptDeployments } from "../../../audit/builtInRules/keptDeployments.js";
import { unsharedDatabases } from "../../../audit/builtInRules/unsharedDatabases.js";
import { restrictedDatabases } from "../../../audit/builtInRules/restrictedDatabases.js";
import { auditProject, defineRule, type ProjectToCheck } from "../../../audit/policies.js";
import { acceptAll, type AcceptedEntry } from "../../../audit/report/acceptance.js";
import { auditSummary } from "../../../audit/report/sentences.js";
import { readableProject } from "../../../audit/rules/runRules.js";
import { reportOn } from "../../support/auditReport.js";
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
const filtered = { scope: { filters: ["name*=s"], exclude: [], listedProjects: 9 } };

describe("what a rule checked", () => {
  it("is counted: environments, or projects if the rule checks no environments", () => {
    const ofProjects = defineRule({
      ...{ name: "own-rule", description: "d", reason: "r", remedy: "m" },
      checkProject: () => [],
    });
    const empty = project("empty", { environments: [] });
    const silent = project("silent", { environments: undefined });
    for (const [rule, checked, environments] of [
      [readableProject, { projects: 5 }],
      [ofProjects, { projects: 4 }],
      [keptDeployments({ environments: ["stage"] }), { environments: 2 }, ["stage"]],
      [guardedProductionBranch(), { environments: 2 }, ["live"]],
    ] as const) {
      const { rules } = reportOn([shop, blog, empty, silent, unreadable], [rule, ofProjects]);
      assert.deepEqual([rules[0]?.checked, rules[0]?.environments], [checked, environments]);
    }
  });

  it("is something if it has a finding of the project, though it checked no environment", () => {
    const unlisted = project("unlisted", { hasDatabases: true, environments: [] });
    const report = reportOn([unlisted], [restrictedDatabases()], [], filtered);
    assert.equal(report.summary.undecided, 1);
    assert.doesNotMatch(auditSummary(report), /checked nothing/);
  });
});

describe("an environment that a rule names and no project has", () => {
  const rules = [keptDeployments({ environments: ["live", "stag"] })];

  it("is refused, with what there is", async () => {
    const { message } = await failureOf(() => reportOn([shop, blog], rules), "ARGUMENT_INVALID");
    assert.match(message, /kept-deployments .* stag, .* stage\? Known environments: live, stage\./);
  });

  const silent = project("silent", { environments: undefined });
  for (const [title, projects, changes] of [
    ["the audit had a filter", [shop], filtered],
    ["a project could not be read", [shop, unreadable], {}],
    ["the service omits the environments of a project", [shop, silent], {}],
  ] as const) {
    it(`only shows in the counts if ${title}`, () => {
      const report = reportOn(projects, rules, [], changes);
      assert.deepEqual(report.rules[0]?.checked, { environments: 1 });
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
    const { summary, staleAcceptances } = reportOn(projects, rules, [{ ...entry, ...changes }]);
    return [summary.failing, summary.accepted, staleAcceptances.length];
  };

  it("covers its finding until its last day, and no other one", () => {
    assert.deepEqual(summaryWith({}), [1, 1, 0]);
    assert.deepEqual(summaryWith({ until: "2026-03-01" }), [2, 0, 0]);
    assert.deepEqual(summaryWith({ rule: "restricted-databases" }), [2, 0, 0], "it did not run");
    for (const other of [
      { projectId: "blog" },
      { environmentId: "stag" },
      { subject: "deploymentsToKeep 2" },
      { state: "undecided" },
    ] as const) {
      assert.deepEqual(summaryWith(other), [2, 0, 1], JSON.stringify(other));
    }
  });

  it("of a database covers no other one, and none that is open beside a missing field", () => {
    const subjectsOf = (...databases: object[]) =>
      reportOn(
        [project("shop", { environments: [{ environmentId: "live", databases }] })],
        [restrictedDatabases()],
      ).findings.map(({ subject }) => subject);
    const closed = { name: "b", allowedIP: "192.0.2.7" };
    assert.deepEqual(subjectsOf({ name: "a" }, closed), ["missing databases[a].allowedIP"]);
    assert.deepEqual(subjectsOf({ name: "c" }, closed), ["missing databases[c].allowedIP"]);
    assert.deepEqual(subjectsOf({ name: "a" }, { ...closed, allowedIP: "%" }), [
      "database b",
      "missing databases[a].allowedIP",
    ]);
    assert.deepEqual(subjectsOf({ name: "a" }, { ...closed, allowedIP: "10.%" }), [
      'database b, allowedIP "10.%"',
      "missing databases[a].allowedIP",
    ]);
  });

  it("covers its finding in auditProject too, which is a note in the last 14 days of the entry", async () => {
    const found = (until?: string, ...more: object[]) => {
      const accepted = { version: 1, accepted: [{ ...entry, until }, ...more] };
      return auditProject(shop, rules, { accepted }).map(({ environmentId, level, message }) => {
        const [lastDay] = /\d{4}-\d\d-\d\d/.exec(message) ?? [];
        return [environmentId, level, lastDay].join(" ");
      });
    };
    const day = (days: number) =>
      new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    assert.deepEqual(found(day(16)), ["stage error "]);
    assert.deepEqual(found(day(13)), [`live note ${day(13)}`, "stage error "]);
    assert.deepEqual(found(day(-2)), [`live error ${day(-2)}`, "stage error "]);
    const { message } = await failureOf(() => found(undefined, {}), "ARGUMENT_INVALID");
    assert.match(message, /^accepted\[1\]\.rule .* missing/);
  });

  it("is expiring in its last 14 days, if its finding is there, and the summary names the first day and the owners", () => {
    const days = ["2026-03-16", "2026-03-17", "2026-03-02", undefined] as const;
    const findings = reportOn([shop, blog], rules).findings;
    const entries = findings.map((finding, index) => ({
      ...{ ...finding, reason: "r" },
      ...{ until: days[index], owner: index === 0 ? "retail" : "media" },
    }));
    const report = reportOn([shop, blog], rules, [...entries, { ...entry, projectId: "gone" }]);
    assert.deepEqual(
      report.expiringAcceptances.map(({ until }) => until),
      ["2026-03-02", "2026-03-16"],
    );
    assert.match(auditSummary(report), /2 acceptances .* 2026-03-02 .*media, retail/);
  });

  it("is stale if it matches nothing, unless the audit had a filter", () => {
    const stale = [
      { ...entry, subject: "gone" },
      { ...entry, projectId: "gone" },
      { ...entry, projectId: "other" },
    ];
    const report = reportOn([shop], rules, stale);
    assert.deepEqual(report.staleAcceptances, stale);
    assert.match(auditSummary(report), / 3 accepted entries match no finding/);
    assert.deepEqual(reportOn([shop], rules, stale, filtered).staleAcceptances, []);
    const gone = [{ ...entry, rule: "unshared-databases", projectId: "gone" }];
    const shared = reportOn([shop, unreadable], [unsharedDatabases(), ...rules], gone);
    assert.deepEqual(shared.staleAcceptances, gone);
  });

  it("is not stale if its rule did not run for its environment, or could not decide", () => {
    const stage = [keptDeployments({ environments: ["stage"] })];
    const gone = [{ ...entry, subject: "gone" }];
    assert.deepEqual(reportOn([shop], stage, gone).staleAcceptances, []);
    const environments = (shop.environments ?? []).map((each) => ({
      ...each,
      ...{ deploymentsToKeep: undefined as never, missingFields: ["deploymentsToKeep"] },
    }));
    const report = reportOn([{ ...shop, environments }], rules, [entry]);
    assert.equal(report.summary.undecided, environments.length);
    assert.deepEqual(report.staleAcceptances, []);
  });
});

describe("accepting all findings", () => {
  const today = "2026-03-02";
  const findingsWith = (entries: readonly AcceptedEntry[]) =>
    reportOn([shop], [keptDeployments()], entries).findings;
  const [live, stage] = findingsWith([]).map((finding): AcceptedEntry => {
    const { rule, projectId, environmentId = "", subject, state } = finding;
    return { rule, projectId, environmentId, subject, state, reason: "before" };
  }) as [AcceptedEntry, AcceptedEntry];
  const acceptance = { reason: "now", until: "2027-06-30" };
  const accept = (earlier: AcceptedEntry[], others: AcceptedEntry[] = [], changes: object = {}) =>
    acceptAll(findingsWith([...others, ...earlier]), earlier, { ...acceptance, ...changes }, today);

  it("keeps an entry that lasts, renews one that has expired or expires within 14 days, and adds one for each other finding", () => {
    const added = { ...stage, ...acceptance };
    for (const [until, renewed] of [
      ["2026-03-17", 0],
      ["2026-03-16", 1],
      [today, 1],
      ["2026-03-01", 1],
    ] as const) {
      const entry = { ...live, until };
      const entries = [renewed ? { ...live, ...acceptance } : entry, added];
      assert.deepEqual(accept([entry]), { entries, added: 1, renewed }, until);
    }
    // Without an end, an acceptance that expires soon would never expire.
    const expiring = { ...live, until: "2026-03-16" };
    for (const until of [undefined, "2026-03-15"]) {
      assert.deepEqual(accept([expiring], [], { until }).entries[0], expiring);
    }
    const expired = { ...live, until: "2026-03-01" };
    assert.equal(accept([expired], [], { until: undefined }).entries[0]?.until, undefined);
  });

  it("neither adds nor renews what another file accepts", () => {
    const expiring = { ...live, until: "2026-03-16" };
    const none = { entries: [stage], added: 0, renewed: 0 };
    assert.deepEqual(accept([stage], [expiring]), none);
    assert.equal(accept([stage, expiring], [live]).renewed, 0);
  });

  it("keeps the owner of an entry that it renews, unless it gets another one", () => {
    const earlier = [{ ...live, until: "2026-03-01", owner: "retail" }, stage];
    const ownerAfter = (owner?: string) => accept(earlier, [], { owner }).entries[0]?.owner;
    assert.deepEqual([ownerAfter(), ownerAfter("hosting")], ["retail", "hosting"]);
  });

  it("keeps entries for the other state and for no finding, and sorts all entries", () => {
    const others = [
      { ...live, rule: "z" },
      { ...live, state: "undecided" as const },
    ] as const;
    const { entries } = accept([stage, live, ...others]);
    assert.deepEqual(entries, [others[1], live, stage, others[0]]);
  });
});
