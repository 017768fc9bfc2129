import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fingerprintOf } from "../../audit/report/codeScanning.js";
import { readDocument } from "../support/documents.js";
import { repository } from "../support/paths.js";

/* docs/api.test.ts keeps the names, and formats.golden.txt the reports. */
describe("docs/upgrade.md promises", () => {
  it("the versions that the packages say they need", () => {
    const { engines, peerDependencies } = JSON.parse(
      readFileSync(join(repository, "package.json"), "utf8"),
    ) as { engines: { node: string }; peerDependencies: Record<string, string> };
    const { "@pulumi/pulumi": sdk = "" } = peerDependencies;
    const [, oldest, next] = /^\^(\S+) \|\| >=(\d+)$/.exec(engines.node) ?? [];
    const manifest = readFileSync(require.resolve("@pulumi/pulumi/package.json"), "utf8");
    const newest = Number(/"typescript": ".*< (\d+)"/.exec(manifest)?.[1]) - 1;
    const readme = readDocument(repository, "README.md").replace(/ +/g, " ");
    for (const row of [
      `| Node | ${oldest}+ or ${next}+;`,
      `| \`@pulumi/pulumi\` | ${/\d+\.\d+/.exec(sdk)?.[0]} or newer`,
      `| TypeScript | 4.9 to ${newest},`,
    ]) {
      assert.ok(readme.includes(row), row);
    }
  });

  it("fingerprints that depend on the identity of a finding alone", () => {
    const identity = { rule: "r", projectId: "p", environmentId: "e", subject: "s" };
    const others = { projectName: "n", level: "note", message: "m", remedy: "" } as const;
    const fingerprint = fingerprintOf({ ...identity, ...others, state: "violated" });
    assert.equal(fingerprint, "575b9b38a91194604df82dbac1448e1dc9b3a11e2b6c8017e25de0b3ffc81bdd");
    const rest = { projectName: "x", level: "error", message: "y", remedy: "z" } as const;
    assert.equal(fingerprintOf({ ...identity, ...rest, state: "violated" }), fingerprint);
    assert.notEqual(fingerprintOf({ ...identity, ...others, state: "undecided" }), fingerprint);
  });
});
