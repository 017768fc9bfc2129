import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv } from "ajv";
import { type AcceptedEntry, acceptAll } from "../../audit/report/acceptance.js";
import { formatReport } from "../../audit/report/formatReport.js";
import {
  acceptedFileText,
  isDate,
  parseAcceptedFile,
  readAcceptedFile,
} from "../../command/acceptedFile.js";
import { acceptanceSentence, staleSentence } from "../../audit/report/sentences.js";
import { defineRule, violated } from "../../audit/policies.js";
import { sampleProjects } from "../../sandbox/index.js";
import { hostileProjects, mixedReport, reportOn } from "../support/auditReport.js";
import { repository } from "../support/paths.js";

const ajv = new Ajv({ strict: true });
ajv.addFormat("date", isDate);

/** Returns the validator of a schema that the package contains. */
function schema(name: string) {
  return ajv.compile(JSON.parse(readFileSync(join(repository, "schemas", name), "utf8")) as object);
}

const entry = {
  rule: "kept-deployments",
  projectId: "p-1",
  subject: "deploymentsToKeep 2",
  reason: "It is replaced in 2027.",
};
const fileWith = (...accepted: unknown[]) => ({ version: 1, accepted });

describe("the file with accepted findings", () => {
  const fitsSchema = schema("accepted-findings.schema.json");

  it("takes an entry with the required keys, and one with all keys", () => {
    const full = {
      ...entry,
      environmentId: "live",
      state: "unknown",
      until: "2028-02-29",
    };
    const file = { $schema: "./accepted-findings.schema.json", ...fileWith(entry, full) };
    assert.ok(fitsSchema(file), JSON.stringify(fitsSchema.errors));
    assert.deepEqual(parseAcceptedFile(JSON.stringify(file)), {
      ...file,
      accepted: [{ ...entry, state: "violated" }, full],
    });
  });

  it("does not blame its path if its JSON is nested too deeply", () => {
    const directory = mkdtempSync(join(tmpdir(), "accepted-"));
    const file = join(directory, "accepted.json");
    writeFileSync(file, "[".repeat(100_000));
    assert.throws(() => readAcceptedFile(file), RangeError);
    rmSync(directory, { recursive: true });
  });

  for (const [problem, file, message] of [
    ["is a list", [], /The file must be an object/],
    ["has no version", { accepted: [] }, /version must be 1/],
    ["has another version", { version: 2, accepted: [] }, /version must be 1/],
    ["has no list", { version: 1 }, /accepted must be a list/],
    ["has an unknown key", { ...fileWith(), entries: [] }, /cannot contain the key entries\./],
    [
      "has several unknown keys",
      { ...fileWith(), entries: [], tool: {} },
      /cannot contain the key entries, tool\./,
    ],
    ["has an entry that is no object", fileWith(entry, null), /accepted\[1\] must be an object/],
    [
      "has an entry with an unknown key",
      fileWith(entry, { ...entry, projectId: "p-2", project: "p-1" }),
      /accepted\[1\] cannot contain the key project\./,
    ],
    [
      "has an entry without a rule",
      fileWith({ ...entry, rule: undefined }),
      /rule of accepted\[0\]/,
    ],
    [
      "has an entry without a project",
      fileWith({ ...entry, projectId: "" }),
      /projectId of accepted\[0\]/,
    ],
    [
      "has an entry without a subject",
      fileWith({ ...entry, subject: undefined }),
      /accepted\[0\] has no subject.*Copy the subject from the report.*or delete the entry/,
    ],
    [
      "has an entry with a blank reason",
      fileWith({ ...entry, reason: " " }),
      /reason of accepted\[0\]/,
    ],
    [
      "has an entry with an unknown state",
      fileWith({ ...entry, state: "ok" }),
      /state of accepted\[0\]/,
    ],
    [
      "has a number as environment",
      fileWith({ ...entry, environmentId: 1 }),
      /environmentId of accepted\[0\]/,
    ],
    [
      "has an empty environment",
      fileWith({ ...entry, environmentId: "" }),
      /environmentId of accepted\[0\].*Leave it out for a whole project/,
    ],
    [
      "has a day that does not exist",
      fileWith({ ...entry, until: "2027-02-29" }),
      /until of accepted\[0\]/,
    ],
    [
      "has a day in another form",
      fileWith({ ...entry, until: "30.6.2027" }),
      /until of accepted\[0\]/,
    ],
    ["has an empty name", fileWith({ ...entry, acceptedBy: "" }), /acceptedBy of accepted\[0\]/],
    [
      "has the same entry twice",
      fileWith(entry, { ...entry, projectId: "p-2" }, entry),
      /accepted\[2\] is for the same finding as accepted\[0\]/,
    ],
  ] as const) {
    it(`is refused by the audit and by the schema if it ${problem}`, () => {
      const text = JSON.stringify(file);
      assert.throws(() => parseAcceptedFile(text), { code: "ARGUMENT_INVALID", message });
      assert.equal(fitsSchema(JSON.parse(text)), false);
    });
  }

  it("is refused if an object has a key twice, and the line is named", () => {
    const text = JSON.stringify(fileWith(entry, entry), null, 2);
    const twice = text.replace(/("reason": .*)\n(?=[^]*"rule")/, '$1,\n      "reason": "Other"\n');
    assert.throws(() => parseAcceptedFile(twice), {
      code: "ARGUMENT_INVALID",
      message: /the key reason is twice in the object at line 9\./,
    });
  });

  it("is refused if two entries for the same finding have different reasons", () => {
    const text = JSON.stringify(fileWith(entry, { ...entry, state: "violated", reason: "Other" }));
    assert.throws(() => parseAcceptedFile(text), /accepted\[1\] is for the same finding/);
  });

  it("fits the schema and can be read again after the audit has written it, whatever the service says", () => {
    const { findings } = reportOn(hostileProjects());
    const { entries } = acceptAll(findings, [], { reason: "\u202e later\n" }, "2026-03-02");
    const text = acceptedFileText({ version: 1, accepted: entries });
    assert.ok(fitsSchema(JSON.parse(text)), JSON.stringify(fitsSchema.errors));
    assert.deepEqual(parseAcceptedFile(text).accepted, entries);
    assert.equal(entries.length, findings.length);
    assert.doesNotMatch(text.replaceAll("\n", ""), /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
  });
});

describe("accepting all findings", () => {
  const { findings } = reportOn(hostileProjects());
  const [first, second, third] = findings;
  assert.ok(first && second && third);
  const entryFor = (
    finding: typeof first,
    changes: Partial<AcceptedEntry> = {},
  ): AcceptedEntry => ({
    ...placeOf(finding),
    state: finding.state,
    reason: "before",
    ...changes,
  });
  const present = [first, second, third];
  const acceptance = { reason: "now", until: "2027-06-30" };

  it("keeps an entry that still covers its finding, on its last day too", () => {
    const entries = [entryFor(first, { until: "2026-03-02" })];
    const updated = acceptAll([first], entries, acceptance, "2026-03-02");
    assert.deepEqual(updated, { entries, added: [], renewed: [], kept: entries });
  });

  it("renews an expired entry, adds entries for the others, and keeps one for another state", () => {
    const expired = entryFor(first, { until: "2026-03-01" });
    const otherState = entryFor(second, { state: "unknown" });
    const updated = acceptAll(present, [expired, otherState], acceptance, "2026-03-02");
    assert.deepEqual(updated.renewed, [entryFor(first, acceptance)]);
    assert.deepEqual(updated.added, [entryFor(second, acceptance), entryFor(third, acceptance)]);
    assert.deepEqual([updated.kept, updated.entries.length], [[otherState], 4]);
  });

  it("keeps an entry that matches no finding, and sorts the entries", () => {
    const stale = [entryFor(first, { rule: "z" }), entryFor(first, { rule: "a" })];
    const { entries, kept } = acceptAll([first], stale, acceptance, "2026-03-02");
    assert.deepEqual(kept, stale);
    assert.deepEqual(
      entries.map(({ rule }) => rule),
      ["a", first.rule, "z"],
    );
  });
});

describe("the acceptances in a report", () => {
  it("an entry for one state does not cover the other state, and is stale", () => {
    const [finding] = reportOn(hostileProjects()).findings;
    assert.ok(finding?.state === "violated");
    const other: AcceptedEntry = { ...entry, ...placeOf(finding), state: "unknown" };
    const { summary, staleAcceptances } = reportOn(hostileProjects(), { acceptedEntries: [other] });
    assert.equal(summary.accepted, 0);
    assert.deepEqual(staleAcceptances, [other]);
  });

  it("an entry is stale only if the audit looked at its project with its rule", () => {
    const gone: AcceptedEntry = { ...entry, projectId: "gone", state: "violated" };
    const clean: AcceptedEntry = { ...entry, projectId: "p-7", state: "violated" };
    const left: AcceptedEntry = { ...clean, rule: "readable-project" };
    const acceptedEntries = [gone, clean, left];
    const whole = reportOn(hostileProjects(), { acceptedEntries });
    assert.deepEqual(whole.staleAcceptances, [gone, clean]);
    const scope = { filters: ["status=LIVE"], listedProjects: 100 };
    const part = reportOn(hostileProjects(), { acceptedEntries, scope });
    assert.deepEqual(part.staleAcceptances, [clean]);
  });

  it("an entry whose rule does not exist is reported, because the name may have a typo", () => {
    const typo: AcceptedEntry = { ...entry, rule: "kept-deployment", state: "violated" };
    const report = reportOn(hostileProjects(), { acceptedEntries: [typo] });
    assert.deepEqual(report.staleAcceptances, [{ ...typo, unknownRule: true }]);
    assert.match(staleSentence(report.staleAcceptances[0]!), /has no rule kept-deployment,/);
  });

  it("an entry covers its subject only, and the text of another finding says what was accepted there", () => {
    const projects = sampleProjects();
    const [live] = projects[0]!.projectEnvironments;
    live!.projectEnvironmentDatabases.databases[0]!.allowedIP = null;
    const [accepted] = reportOn(projects).findings.filter(
      ({ rule, environmentId }) => rule === "restricted-databases" && environmentId === "live",
    );
    const acceptedEntries = [{ ...entry, ...placeOf(accepted!), state: accepted!.state }];
    const before = reportOn(projects, { acceptedEntries });
    const added = { ...live!.projectEnvironmentDatabases.databases[0]!, name: "customers_pii" };
    live!.projectEnvironmentDatabases.databases.push(added);
    const after = reportOn(projects, { acceptedEntries });
    assert.equal(after.summary.accepted, 1);
    assert.equal(after.summary.failing, before.summary.failing + 1);
    const finding = after.findings.find(({ subject }) =>
      subject.startsWith("database customers_pii"),
    )!;
    assert.match(
      acceptanceSentence(finding).join(),
      /^Not accepted: an entry for this rule and this place accepts something else, violated "database shop_\w+ \(MYSQL\)": It is replaced in 2027\.$/,
    );
  });

  it("an entry of a rule without subjects is stale after its message changed, and the text says why", () => {
    const rule = (count: number) =>
      defineRule({
        name: "counted",
        description: "d",
        reason: "r",
        remedy: "m",
        checkProject: () => [violated(`There are ${count} problems.`)],
      });
    const acceptedEntries = [
      { ...entry, rule: "counted", subject: "There are 1 problems.", state: "violated" } as const,
    ];
    const report = reportOn(sampleProjects().slice(0, 1), { acceptedEntries }, [rule(2)]);
    assert.deepEqual(report.staleAcceptances, [{ ...acceptedEntries[0], needsSubject: true }]);
    assert.match(staleSentence(report.staleAcceptances[0]!), /pass \{ subject \}/);
  });

  it("count: only findings that are not accepted, and that reach --fail-on, fail the audit", () => {
    const failing = (failOn: "error" | "warning" | "note" | "never") =>
      mixedReport({ failOn }).summary.failing;
    const { levels, violated, unknown, accepted } = mixedReport().summary;
    assert.equal(failing("never"), 0);
    assert.equal(failing("error"), levels.error);
    assert.equal(failing("warning"), levels.error + levels.warning);
    assert.equal(failing("note"), violated + unknown);
    assert.equal(violated + unknown + accepted, mixedReport().findings.length);
  });
});

describe("the JSON report", () => {
  const fitsSchema = schema("audit-report.schema.json");

  it("fits the schema of the package", () => {
    const options = { width: 100, hasColors: false, omitAccepted: false };
    for (const report of [mixedReport(), reportOn([])]) {
      const json = JSON.parse(formatReport(report, "json", options)) as Record<string, unknown>;
      assert.ok(fitsSchema(json), JSON.stringify(fitsSchema.errors));
      for (const key of Object.keys(json)) {
        const { [key]: _, ...others } = json;
        assert.equal(fitsSchema(others), false, key);
      }
    }
  });
});

/** Returns the fields of a finding that name its rule, its place and its subject. */
function placeOf({
  rule,
  projectId,
  environmentId,
  subject,
}: Pick<AcceptedEntry, "rule" | "projectId" | "environmentId" | "subject">) {
  return { rule, projectId, ...(environmentId === undefined ? {} : { environmentId }), subject };
}
