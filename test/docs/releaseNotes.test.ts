import assert from "node:assert/strict";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readDocument } from "../../tools/docs/documents.js";
import { repository } from "../support/paths.js";
import { run } from "../support/workbench.js";

describe("the changelog", () => {
  const changelog = readDocument(repository, "CHANGELOG.md");

  it("has the next version first, and each released version with its date", () => {
    const [first, ...released] = [...changelog.matchAll(/^## (.*)$/gm)].map(
      ([, heading]) => heading as string,
    );
    assert.match(first as string, /^\d+\.\d+\.\d+ - (not released yet|\d{4}-\d{2}-\d{2})$/);
    for (const heading of released) assert.match(heading, /^\d+\.\d+\.\d+ - \d{4}-\d{2}-\d{2}$/);
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

  describe("gives a release", () => {
    let folder: string;
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), "release-notes-"));
      await mkdir(join(folder, "tools"));
      await cp(join(repository, "tools/releaseNotes.mjs"), join(folder, "tools/releaseNotes.mjs"));
      const sections = [
        "## 2.0.0 - not released yet\n\n- next\n",
        "## 1.0.0 - 2027-01-31\n\n### Added\n\n- first\n",
      ];
      await writeFile(join(folder, "CHANGELOG.md"), `# Changelog\n\n${sections.join("\n")}`);
    });
    afterEach(() => rm(folder, { recursive: true }));

    const notesOf = (version: string) =>
      run(process.execPath, [join(folder, "tools/releaseNotes.mjs"), version]);

    it("the notes of its version", async () => {
      assert.equal((await notesOf("1.0.0")).stdout, "### Added\n\n- first\n");
    });

    for (const version of ["2.0.0", "9.9.9", "not", ""]) {
      it(`no notes for "${version}", which has no section with a date`, async () => {
        const message = `CHANGELOG.md has no section for version ${version}, with a date.`;
        await assert.rejects(notesOf(version), ({ stderr }: { stderr: string }) =>
          stderr.includes(message),
        );
      });
    }
  });
});
