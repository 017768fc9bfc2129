import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { acceptAll, type AcceptedEntry } from "../../../audit/report/acceptance.js";
import { acceptedFileText, readAcceptedFile } from "../../../command/audit/acceptedFile.js";
import { hostileProjects, reportOn } from "../../support/auditReport.js";

const entry = {
  rule: "kept-deployments",
  projectId: "p-1",
  subject: "deploymentsToKeep 2",
  state: "violated",
  reason: "It is replaced in 2027.",
} as const;
const other = { ...entry, environmentId: "live", state: "unknown", until: "2028-02-29" } as const;

const fileWith = (...accepted: unknown[]) => ({ version: 1, accepted });

describe("the file with accepted findings", () => {
  const directory = mkdtempSync(join(tmpdir(), "accepted-"));
  after(() => rmSync(directory, { recursive: true }));

  function read(text: string) {
    const file = join(directory, "accepted.json");
    writeFileSync(file, text);
    return readAcceptedFile(file);
  }

  it("has entries with all keys but the optional ones, and may begin with a byte order mark", () => {
    const file = { $schema: "./accepted-findings.schema.json", ...fileWith(entry, other) };
    assert.deepEqual(read(`\ufeff${JSON.stringify(file)}`), file);
  });

  for (const [problem, file, message] of [
    ["is a list", [], "The file must be an object."],
    ["has another version", { version: 2, accepted: [] }, "version must be 1."],
    ["has no list", { version: 1 }, "accepted is missing."],
    [
      "has an unknown key",
      { ...fileWith(), entries: [] },
      "The file cannot contain the key entries",
    ],
    ["has an entry that is no object", fileWith(entry, null), "accepted[1] must be an object."],
    [
      "has an entry with an unknown key",
      fileWith({ ...entry, acceptedBy: "Ann" }),
      "accepted[0] cannot contain the key acceptedBy",
    ],
    [
      "has an entry without a subject",
      fileWith({ ...entry, subject: undefined }),
      "accepted[0].subject is missing.",
    ],
    ["has an entry with a blank reason", fileWith({ ...entry, reason: " " }), "reason is blank."],
    [
      "has an unknown state",
      fileWith({ ...entry, state: "ok" }),
      "accepted[0].state cannot be ok.",
    ],
    ["has a number as environment", fileWith({ ...entry, environmentId: 1 }), "must be a string."],
    ...["2027-13-01", "2027-06-32", "30.6.2027", "2027-06-30T00:00Z"].map(
      (until) =>
        [
          `has the day ${until}`,
          fileWith({ ...entry, until }),
          "accepted[0].until must be a day such as 2027-06-30.",
        ] as const,
    ),
    [
      "has two entries for one finding",
      fileWith(entry, other, { ...entry, reason: "Other." }),
      "accepted[2] is for the same finding as accepted[0]. Remove one of them.",
    ],
    ["is no JSON", "{", "is not valid JSON"],
  ] as const) {
    it(`is refused by its name if it ${problem}`, () => {
      const text = typeof file === "string" ? file : JSON.stringify(file);
      assert.throws(
        () => read(text),
        ({ code, message: shown }: { code: string; message: string }) => {
          assert.equal(code, "ARGUMENT_INVALID");
          assert.match(shown, /^Reading the accepted findings in \S+accepted\.json failed: /);
          assert.ok(shown.includes(message), shown);
          return true;
        },
      );
    });
  }

  it("can be read again after the audit has written it, whatever the service says", () => {
    const { findings } = reportOn(hostileProjects());
    const { entries } = acceptAll(findings, [], { reason: "\u202e later\n" }, "2026-03-02");
    const text = acceptedFileText({ version: 1, accepted: entries });
    assert.deepEqual(read(text).accepted, entries);
    assert.equal(entries.length, findings.length);
    assert.doesNotMatch(text.replaceAll("\n", ""), /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
  });
});

describe("accepting all findings", () => {
  const [first, second] = reportOn(hostileProjects()).findings.map(
    ({ rule, projectId, environmentId, subject, state }): AcceptedEntry => {
      const environment = environmentId === undefined ? {} : { environmentId };
      return { rule, projectId, ...environment, subject, state, reason: "before" };
    },
  );
  assert.ok(first && second);
  const { findings } = reportOn(hostileProjects());
  const acceptance = { reason: "now", until: "2027-06-30" };

  it("keeps an entry on its last day, renews an expired one, and adds one for each other finding", () => {
    const lasting = { ...first, until: "2026-03-02" };
    const expired = { ...second, until: "2026-03-01" };
    const updated = acceptAll(findings, [lasting, expired], acceptance, "2026-03-02");
    assert.deepEqual(updated.kept, [lasting]);
    assert.deepEqual(updated.renewed, [{ ...second, ...acceptance }]);
    assert.equal(updated.added.length, findings.length - 2);
    assert.equal(updated.entries.length, findings.length);
  });

  it("keeps entries for the other state and for no finding, and sorts all entries", () => {
    const otherState = { ...first, state: "unknown" } as const;
    const stale = { ...first, rule: "z" };
    const { entries, kept } = acceptAll(
      findings.slice(0, 1),
      [stale, otherState],
      acceptance,
      "2026-03-02",
    );
    assert.deepEqual(kept, [stale, otherState]);
    assert.deepEqual(entries, [otherState, { ...first, ...acceptance }, stale]);
  });
});
