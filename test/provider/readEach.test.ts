import assert from "node:assert/strict";
import { setImmediate as turn } from "node:timers/promises";
import { ProjectServiceError, type ProjectServiceErrorCode } from "../../provider/errors.js";
import { readEach } from "../../provider/readEach.js";
import { failureOf } from "../support/failure.js";

const ids = Array.from({ length: 20 }, (_, index) => `x-${index}`);

describe("reading each of many projects", () => {
  let begun: string[];
  /** Takes longer for the first ones, so that answers come in another order. */
  async function read(projectId: string): Promise<string> {
    begun.push(projectId);
    for (let turns = 20 - begun.length; turns > 0; turns--) await turn();
    return `read ${projectId}`;
  }
  const failing =
    (codes: Record<string, ProjectServiceErrorCode>) =>
    async (projectId: string): Promise<string> => {
      const text = await read(projectId);
      const code = codes[projectId];
      if (code !== undefined) throw new ProjectServiceError(code, `${projectId} failed.`);
      return text;
    };
  beforeEach(() => (begun = []));

  it("gives them in their order, without those left out", async () => {
    const { projects } = await readEach(
      ids,
      async (id) => ((await read(id)) === "read x-7" ? undefined : id),
      { concurrency: 6, onInaccessible: "fail" },
    );
    assert.deepEqual(
      projects,
      ids.filter((id) => id !== "x-7"),
    );
  });

  it("has so many under way, and never more", async () => {
    let underWay = 0;
    let most = 0;
    await readEach(
      ids,
      async (id) => {
        most = Math.max(most, ++underWay);
        await read(id);
        underWay--;
      },
      { concurrency: 6, onInaccessible: "fail" },
    );
    assert.equal(most, 6);
  });

  it("begins none after a failure, waits for those under way, and names the first in order", async () => {
    const error = await failureOf(
      readEach(ids, failing({ "x-1": "FORBIDDEN", "x-3": "SERVICE_UNAVAILABLE" }), {
        concurrency: 4,
        onInaccessible: "fail",
      }),
      "FORBIDDEN",
    );
    assert.match(error.message, /^x-1 failed\. Of 20 projects 2 failed, this one first, and 1\d/);
    assert.match(error.message, /onInaccessible: "skip"/);
    const before = begun.length;
    for (let turns = 0; turns < 50; turns++) await turn();
    assert.equal(begun.length, before);
    assert.ok(before < 10, String(before));
  });

  it("names what is inaccessible in the order of the ids, if so asked", async () => {
    const { projects, inaccessible } = await readEach(
      ids,
      failing({ "x-9": "FORBIDDEN", "x-0": "NOT_FOUND" }),
      { concurrency: 5, onInaccessible: "skip" },
    );
    assert.deepEqual(inaccessible, [
      { projectId: "x-0", code: "NOT_FOUND" },
      { projectId: "x-9", code: "FORBIDDEN" },
    ]);
    assert.equal(projects.length, 18);
  });

  it("does not skip any other failure", async () => {
    for (const code of ["RESPONSE_INVALID", "TOKEN_REFUSED", "RATE_LIMITED"] as const) {
      const { message } = await failureOf(
        readEach(ids, failing({ "x-2": code }), { concurrency: 3, onInaccessible: "skip" }),
        code,
      );
      assert.doesNotMatch(message, /skip/);
    }
  });

  it("tells after each how many are done, the failed ones too", async () => {
    const told: string[] = [];
    await readEach(ids, failing({ "x-2": "FORBIDDEN" }), {
      concurrency: 3,
      onInaccessible: "skip",
      onProgress: (done, total) => told.push(`${done}/${total}`),
    });
    assert.deepEqual(
      told,
      ids.map((_, index) => `${index + 1}/20`),
    );
  });
});
