import assert from "node:assert/strict";
import { join } from "node:path";
import { readDocument } from "../../tools/docs/documents.js";
import { repository } from "../support/paths.js";
import { run } from "../support/workbench.js";

const releaseNotes = (version: string) =>
  run(process.execPath, [join(repository, "tools/releaseNotes.mjs"), version], {
    cwd: repository,
  });

describe("the changelog", () => {
  const changelog = readDocument(repository, "CHANGELOG.md");

  it("has the unreleased changes first, and each version with its date", () => {
    const [first, ...versions] = [...changelog.matchAll(/^## (.*)$/gm)].map(
      ([, heading]) => heading as string,
    );
    assert.equal(first, "Unreleased");
    assert.ok(versions.length > 0);
    for (const version of versions) assert.match(version, /^\d+\.\d+\.\d+ - \d{4}-\d{2}-\d{2}$/);
  });

  it("groups changes, with breaking ones first", () => {
    const order = ["Breaking", "Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"];
    for (const version of changelog.split(/^## /m).slice(1)) {
      const groups = [...version.matchAll(/^### (.*)$/gm)].map(([, group]) => group as string);
      assert.ok(groups.length > 0);
      const indexes = groups.map((group) => order.indexOf(group));
      assert.ok(!indexes.includes(-1), groups.join());
      assert.deepEqual(
        indexes,
        indexes.toSorted((a, b) => a - b),
      );
    }
  });

  it("gives a release the notes of its version", async () => {
    const { stdout } = await releaseNotes("0.1.0");
    assert.match(stdout, /^### Added\n\n- `getProject`/);
    assert.doesNotMatch(stdout, /^## |Unreleased/m);
  });

  it("gives no release of a version without a section", async () => {
    await assert.rejects(releaseNotes("9.9.9"), /CHANGELOG\.md has no section for version 9\.9\.9/);
    await assert.rejects(releaseNotes("Unreleased"), /has no section for version Unreleased/);
  });
});
