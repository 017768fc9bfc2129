import assert from "node:assert/strict";
import { formatNames } from "../../audit/report/formatReport.js";
import { measureAudit } from "../../bench/audit/measureAudit.js";
import { measureFormats } from "../../bench/audit/measureFormats.js";
import { credentialsModes } from "../../bench/reads/contenders.js";
import { measureLatency } from "../../bench/reads/measureLatency.js";
import { measureReads } from "../../bench/reads/measureReads.js";
import { barPlot, linePlot } from "../../bench/report/plots.js";
import { sampleOf } from "../../bench/sample.js";
import { mergeRecordings, type RecordingResult } from "../../bench/stacks/measureRecording.js";

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

  it("measures every format of the audit's report", () => {
    const { findings, microsecondsPerFinding } = measureFormats(12, 1);
    assert.ok(findings > 0);
    assert.deepEqual(Object.keys(microsecondsPerFinding), formatNames);
    for (const [name, { median }] of Object.entries(microsecondsPerFinding)) {
      assert.ok(median > 0, name);
    }
  });

  it("summarizes runs by median, minimum and maximum", () => {
    assert.deepEqual(sampleOf([4, 1, 3, 2]), { median: 2.5, min: 1, max: 4, runs: 4 });
    assert.equal(sampleOf([3, 9, 1]).median, 3);
  });

  it("replaces the results of a fleet that was recorded again, and keeps the others", () => {
    const result = (resource: string, projects: number, stateMegabytes: number) =>
      ({ resource, projects, stateMegabytes }) as RecordingResult;
    const earlier = [
      result("ProjectsSnapshot", 100, 1),
      result("ProjectsSnapshot", 1_000, 2),
      result("ProjectSnapshot", 100, 3),
    ];
    const measured = [result("ProjectSnapshot", 100, 4), result("ProjectsSnapshot", 500, 5)];
    assert.deepEqual(mergeRecordings(earlier, measured), [
      earlier[0],
      measured[1],
      earlier[1],
      measured[0],
    ]);
  });

  it("draws complete plots at every scale", () => {
    for (const value of [0.004, 1, 87, 12_345]) {
      const plot = {
        title: "t",
        categories: ["a", "b"],
        series: [
          { label: "s", samples: [sampleOf([value]), sampleOf([value / 2])] },
          { label: "incomplete", samples: [undefined, sampleOf([value])] },
        ],
      };
      for (const svg of [
        barPlot(plot),
        linePlot(plot),
        linePlot({ ...plot, isLogarithmic: true }),
      ]) {
        assert.match(svg, /^<svg[^]*<\/svg>\n$/);
        assert.doesNotMatch(svg, /NaN|undefined|Infinity|"-/);
      }
    }
  });
});
