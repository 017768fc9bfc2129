import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readAcceptedFile } from "../../../command/audit/acceptedFile.js";
import { failureOf } from "../../support/failure.js";

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
    return readAcceptedFile(file, false);
  }

  it("has entries with all keys but the optional ones, and may begin with a byte order mark", () => {
    const file = { $schema: "./accepted-findings.schema.json", ...fileWith(entry, other) };
    assert.deepEqual(read(`\ufeff${JSON.stringify(file)}`), file);
  });

  for (const [problem, file, message] of [
    ["is a list", [], "The file must be an object."],
    ["has another version", { version: 2, accepted: [] }, "version cannot be 2. The values are 1."],
    ["has an unknown key", { ...fileWith(), x: [] }, "The file cannot contain the key x"],
    [
      "has an entry with an unknown key",
      fileWith(entry, { ...entry, acceptedBy: "Ann" }),
      "accepted[1] cannot contain the key acceptedBy",
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
    [
      "has a day in another form",
      fileWith({ ...entry, until: "30.6.2027" }),
      "accepted[0].until must be a day such as 2027-06-30.",
    ],
    [
      "has two entries for one finding",
      fileWith(entry, other, { ...entry, reason: "Other." }),
      "accepted[2] is for the same finding as an earlier entry. Remove one of them.",
    ],
    ["is nested 200,000 deep", `${"[".repeat(200_000)}${"]".repeat(200_000)}`, ""],
    ["is no JSON", "{", "is not valid JSON"],
  ] as const) {
    it(`is refused by its name if it ${problem}`, async () => {
      const text = typeof file === "string" ? file : JSON.stringify(file);
      const { message: shown } = await failureOf(() => read(text), "ARGUMENT_INVALID");
      assert.match(shown, /^Reading the accepted findings in \S+accepted\.json failed: /);
      assert.ok(shown.includes(message), shown);
    });
  }
});
