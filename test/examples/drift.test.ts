import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { repository } from "../support/paths.js";

const script = (example: string) => join(repository, "examples", example, "drift.mjs");

describe("drift.mjs of the examples, with a fake Pulumi CLI", () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "drift-"));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  /** Runs the script with a CLI that has this version, and whose preview ends with this code. */
  function look(version: string, previewCode: number, environment: Record<string, string> = {}) {
    const program = `#!/bin/sh
case $1 in
version) echo ${version} ;;
preview) echo "$@"; exit ${previewCode} ;;
esac
`;
    writeFileSync(join(directory, "pulumi"), program, { mode: 0o755 });
    return run(`${directory}${delimiter}${process.env["PATH"]}`, environment);
  }

  function run(PATH: string, environment: Record<string, string> = {}) {
    const { GITHUB_ACTIONS: _, GITHUB_OUTPUT: __, ...others } = process.env;
    const env = { ...others, PATH, ...environment };
    const args = [script("drift"), "--stack", "shard-1"];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: "utf8" });
    assert.equal(stderr, "");
    const [result, ...before] = stdout.trim().split("\n").reverse();
    return { status, result, before };
  }

  const noDrift = /^No drift: /;
  const drift = /^Drift: The preview shows changes\. pulumi up records them\.$/;
  const couldNotLook = (code: number) => new RegExp(`^Could not look: Pulumi ended with ${code},`);
  const cannotTell = (version: string) =>
    new RegExp(`^Drift or failure: Pulumi ${version} cannot tell them apart\\..* install 3.226.1 `);

  for (const [version, previewCode, expectedCode, message] of [
    ["v3.259.0", 0, 0, noDrift],
    ["v3.259.0", 7, 7, drift],
    ["v3.259.0", 255, 1, couldNotLook(255)],
    ["v3.259.0", 1, 1, couldNotLook(1)],
    ["v3.259.0", 2, 1, couldNotLook(2)],
    ["v3.220.0", 0, 0, noDrift],
    ["v3.220.0", 7, 7, drift],
    ["v3.220.0", 255, 1, cannotTell("3.220.0")],
    ["v3.220.0", 1, 1, couldNotLook(1)],
    ["v3.220.0", 2, 1, couldNotLook(2)],
    ["v3.226.1", 255, 1, couldNotLook(255)],
    ["v3.226.0", 255, 1, cannotTell("3.226.0")],
    ["3.99.0", 255, 1, cannotTell("3.99.0")],
    ["v4.0.0", 255, 1, couldNotLook(255)],
    ["unreadable", 255, 1, couldNotLook(255)],
  ] as const) {
    it(`ends with ${expectedCode} if the preview of ${version} ends with ${previewCode}`, () => {
      const { status, result, before } = look(version, previewCode);
      assert.match(result ?? "", message);
      assert.equal(status, expectedCode);
      assert.deepEqual(before, [
        "preview --diff --expect-no-changes --refresh=false --non-interactive --stack shard-1",
      ]);
    });
  }

  it("says that it could not look if there is no Pulumi CLI", () => {
    const { status, result } = run(directory);
    assert.equal(status, 1);
    assert.match(result ?? "", /^Could not look: Pulumi did not start \(ENOENT\),/);
  });

  it("annotates the result on GitHub, and sets the output drift of the step", () => {
    const output = join(directory, "output");
    const onGitHub = { GITHUB_ACTIONS: "true", GITHUB_OUTPUT: output };
    for (const [code, annotation, line] of [
      [0, /^::notice title=No drift::/, "drift=false\n"],
      [7, /^::warning title=Drift::/, "drift=true\n"],
      [1, /^::error title=Could not look::/, "drift=false\n"],
    ] as const) {
      writeFileSync(output, "");
      assert.match(look("v3.259.0", code, onGitHub).result ?? "", annotation);
      assert.equal(readFileSync(output, "utf8"), line);
    }
  });

  it("is the same file in each example", () => {
    const text = readFileSync(script("drift"), "utf8");
    assert.equal(readFileSync(script("pipeline"), "utf8"), text);
  });
});
