import assert from "node:assert/strict";
import { credentialsModes } from "../../bench/reads/contenders.js";
import { measureAudit, measureLatency, measureReads } from "../../bench/reads/measureReads.js";
import { displaySamples, sampleOf } from "../../bench/sample.js";

describe("the benchmark", function () {
  this.timeout(120_000);

  for (const credentials of credentialsModes) {
    it(`makes every contender read every project, with credentials ${credentials}`, async () => {
      const { contenders } = await measureReads(40, credentials, 1);
      assert.deepEqual(Object.keys(contenders), ["package", "axios", "node:http", "undici"]);
      for (const [name, { projectsPerSecond, tokenRequests, connections }] of Object.entries(
        contenders,
      )) {
        assert.ok(projectsPerSecond.median > 0, name);
        // The hand-written contenders sign in for each of the two runs, and open new connections.
        assert.equal(tokenRequests, name === "package" ? 1 : 2, name);
        // The package opens one more connection, for the sign-in.
        assert.ok(connections <= (name === "package" ? 17 : 32), name);
      }
    });
  }

  it("compares the time with the ideal time of a server with latency", async () => {
    const { ratioToIdeal } = await measureLatency(32, 20, 1);
    for (const [name, { median }] of Object.entries(ratioToIdeal)) assert.ok(median > 1, name);
  });

  it("compares an audit with reading the same projects", async () => {
    const { ratioToReads, cpuRatioToReads, peakMegabytes } = await measureAudit(40, 1);
    assert.ok(ratioToReads.median > 0 && cpuRatioToReads.median > 0);
    assert.ok(peakMegabytes.audit.median > 0 && peakMegabytes.getProjects.median > 0);
  });

  it("summarizes runs by median, minimum and maximum", () => {
    assert.deepEqual(sampleOf([4, 1, 3, 2]), { median: 2.5, min: 1, max: 4, runs: 4 });
    assert.equal(sampleOf([3, 9, 1]).median, 3);
  });

  it("prints each sample of a result as one text", () => {
    const seconds = { audit: sampleOf([1.1, 1.054, 1.22]) };
    const result = { projects: 3, fields: ["status"], seconds };
    assert.deepEqual(displaySamples(result), {
      projects: 3,
      fields: ["status"],
      seconds: { audit: "1.1 (1.05 to 1.22 in 3 runs)" },
    });
  });
});
