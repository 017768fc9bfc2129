import assert from "node:assert/strict";
import { credentialsModes } from "../../bench/contenders.js";
import { measureLatency, measureReads } from "../../bench/reads.js";
import { sampleOf } from "../../bench/statistics.js";
import { barPlot, linePlot } from "../../bench/plots.js";

describe("the benchmark", function () {
  this.timeout(120_000);

  for (const credentials of credentialsModes) {
    it(`has every contender read every project, with credentials ${credentials}`, async () => {
      const { contenders } = await measureReads(40, credentials, 1);
      assert.deepEqual(Object.keys(contenders), ["package", "axios", "node:http", "undici"]);
      for (const [name, { projectsPerSecond, tokenRequests, connections }] of Object.entries(
        contenders,
      )) {
        assert.ok(projectsPerSecond.median > 0, name);
        // By hand each of the two runs signs in, with connections of its own.
        assert.equal(tokenRequests, name === "package" ? 1 : 2, name);
        // The package signs in over a connection of its own.
        assert.ok(connections <= (name === "package" ? 17 : 32), name);
      }
    });
  }

  it("compares with the ideal of a server that takes its time", async () => {
    const { ofIdeal } = await measureLatency(32, 20, 1);
    for (const [name, { median }] of Object.entries(ofIdeal)) assert.ok(median > 1, name);
  });

  it("gives median and spread", () => {
    assert.deepEqual(sampleOf([4, 1, 3, 2]), { median: 2.5, min: 1, max: 4, runs: 4 });
    assert.equal(sampleOf([3, 9, 1]).median, 3);
  });

  it("draws plots that are whole, at each scale", () => {
    for (const value of [0.004, 1, 87, 12_345]) {
      const plot = {
        title: "t",
        places: ["a", "b"],
        series: [{ label: "s", samples: [sampleOf([value]), sampleOf([value / 2])] }],
      };
      for (const svg of [barPlot(plot), linePlot(plot)]) {
        assert.match(svg, /^<svg[^]*<\/svg>\n$/);
        assert.doesNotMatch(svg, /NaN|undefined|Infinity/);
      }
    }
  });
});
