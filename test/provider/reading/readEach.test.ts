import assert from "node:assert/strict";
import { setImmediate as turn } from "node:timers/promises";
import {
  ProjectServiceError,
  type ProjectServiceErrorCode,
} from "../../../provider/errors/projectServiceError.js";
import { readEach } from "../../../provider/reading/readEach.js";
import { failureOf } from "../../support/failure.js";

const ids = Array.from({ length: 20 }, (_, index) => `x-${index}`);

describe("reading each of several projects", () => {
  let started: string[];
  /** Takes longer for the first projects, so that the results come in another order. */
  async function read(projectId: string): Promise<() => string> {
    started.push(projectId);
    for (let turns = 20 - started.length; turns > 0; turns--) await turn();
    return () => projectId;
  }
  const failing =
    (codes: Record<string, ProjectServiceErrorCode>) =>
    async (projectId: string): Promise<() => string> => {
      const result = await read(projectId);
      const code = codes[projectId];
      const isOne = code === "FORBIDDEN" || code === "NOT_FOUND";
      const details = isOne ? ({ isOfProject: true } as const) : {};
      if (code !== undefined) throw new ProjectServiceError(code, `${projectId} failed.`, details);
      return result;
    };
  beforeEach(() => (started = []));

  it("tells how many projects there are before the first has been read", async () => {
    const told: [number, number][] = [];
    const onProgress = (...counts: [number, number]) => told.push(counts);
    await readEach(ids.slice(0, 2), read, { concurrency: 1, onInaccessible: "fail", onProgress });
    assert.deepEqual(told, [
      [0, 2],
      [1, 2],
      [2, 2],
    ]);
  });

  it("returns results and inaccessible projects in the order of the ids, without undefined results", async () => {
    const readMost = failing({ "x-9": "FORBIDDEN", "x-0": "NOT_FOUND" });
    const { projects, inaccessible } = await readEach(
      ids,
      async (id) => {
        const result = await readMost(id);
        return () => (id === "x-7" ? undefined : result());
      },
      { concurrency: 6, onInaccessible: "skip" },
    );
    assert.deepEqual(
      projects,
      ids.filter((id) => !["x-0", "x-7", "x-9"].includes(id)),
    );
    assert.deepEqual(inaccessible, [
      { projectId: "x-0", code: "NOT_FOUND" },
      { projectId: "x-9", code: "FORBIDDEN" },
    ]);
  });

  it("starts no read after a failure, waits for the running ones, and fails with the first error in order", async () => {
    const error = await failureOf(
      readEach(ids, failing({ "x-1": "FORBIDDEN", "x-3": "SERVICE_UNAVAILABLE" }), {
        concurrency: 4,
        onInaccessible: "fail",
        advice: "The advice.",
      }),
      "FORBIDDEN",
    );
    assert.match(
      error.message,
      /^x-1 failed\. 2 of 20 projects failed: x-1 \(FORBIDDEN\), x-3 \(SERVICE_UNAVAILABLE\); 1\d were not read\. The advice\.$/,
    );
    const before = started.length;
    for (let turns = 0; turns < 50; turns++) await turn();
    assert.equal(started.length, before);
    assert.ok(before < 10, String(before));
  });

  it("reads on after inaccessible projects, and names up to 20 failed ones, with those that skip leaves out", async () => {
    const many = Array.from({ length: 40 }, (_, index) => `x-${index}`);
    const forbidden = Object.fromEntries(many.slice(2).map((id) => [id, "FORBIDDEN" as const]));
    const options = { concurrency: 1, onInaccessible: "fail" } as const;
    const one = await failureOf(
      readEach(ids, failing({ "x-1": "FORBIDDEN", "x-9": "NOT_FOUND" }), options),
      "FORBIDDEN",
    );
    assert.match(one.message, /2 of 20 projects failed: x-1 \(FORBIDDEN\), x-9 \(NOT_FOUND\)\.$/);
    const { message } = await failureOf(readEach(many, failing(forbidden), options), "FORBIDDEN");
    assert.match(message, /20 of 40 projects failed: x-2 .* x-21 \(FORBIDDEN\); 18 were not read/);
    const skipping = await failureOf(
      readEach(many, failing({ ...forbidden, "x-39": "TIMEOUT" }), {
        concurrency: 1,
        onInaccessible: "skip",
      }),
      "TIMEOUT",
    );
    assert.match(
      skipping.message,
      /^x-39 failed\. 38 of 40 projects failed: x-39 \(TIMEOUT\), x-2 /,
    );
  });

  it("sends the next request before it looks at a response, and reads no further after a bad one", async () => {
    const order: string[] = [];
    const badAtThird = async (id: string) => {
      order.push(`read ${id}`);
      await turn();
      return () => {
        order.push(`looked at ${id}`);
        if (id === "x-2") throw new ProjectServiceError("RESPONSE_INVALID", `${id} is bad.`);
        return id;
      };
    };
    const { message } = await failureOf(
      readEach(ids, badAtThird, { concurrency: 1, onInaccessible: "skip" }),
      "RESPONSE_INVALID",
    );
    assert.match(
      message,
      /^x-2 is bad\. 1 of 20 projects failed: x-2 \(RESPONSE_INVALID\); 16 were not read/,
    );
    const read = (id: string) => [`read ${id}`, `looked at ${id}`];
    const [x0 = [], x1 = [], x2 = [], x3 = []] = ids.map(read);
    assert.deepEqual(order, [x0[0], x1[0], x0[1], x2[0], x1[1], x3[0], x2[1], x3[1]]);
  });
});
