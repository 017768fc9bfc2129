import type { Results } from "./index.js";
import { barPlot, linePlot, type Series } from "./plots.js";
import type { ContenderResult, ReadsResult } from "./reads.js";
import type { Sample } from "./statistics.js";

/** The plots of docs/performance.md, by file name. */
export function drawPlots({ reads, latency, previews }: Results): Record<string, string> {
  const ofThousand = reads.filter(({ projects }) => projects === 1_000);
  const growing = reads
    .filter(({ credentials }) => credentials === "available")
    .sort((a, b) => a.projects - b.projects);
  return {
    throughput: barPlot({
      title: "Projects read a second, of 1,000 with details",
      places: ofThousand.map(({ credentials }) => `credentials ${credentials}`),
      series: seriesOf(ofThousand, ({ projectsPerSecond }) => projectsPerSecond),
    }),
    growth: linePlot({
      title: "Projects read a second, by their number",
      places: growing.map(({ projects }) => projects.toLocaleString("en-US")),
      series: seriesOf(growing, ({ projectsPerSecond }) => projectsPerSecond),
    }),
    memory: linePlot({
      title: "Peak memory in MB, by the number of projects",
      places: growing.map(({ projects }) => projects.toLocaleString("en-US")),
      series: seriesOf(growing, ({ peakMegabytes }) => peakMegabytes),
    }),
    latency: barPlot({
      title: `Time as a multiple of the ideal, with ${latency.latencyMs} ms of latency`,
      places: [`${latency.projects} projects`],
      series: Object.entries(latency.ofIdeal).map(([label, sample]) => ({
        label,
        samples: [sample],
      })),
    }),
    preview: barPlot({
      title: "Seconds of a pulumi preview with one read",
      places: ["one getProjectOutput"],
      series: Object.entries(previews.seconds).map(([label, sample]) => ({
        label,
        samples: [sample],
      })),
    }),
  };
}

function seriesOf(
  results: readonly ReadsResult[],
  sampleIn: (result: ContenderResult) => Sample,
): Series[] {
  const names = Object.keys(results[0]?.contenders ?? {});
  return names.map((label) => ({
    label,
    samples: results.map(({ contenders }) => sampleIn(contenders[label] as ContenderResult)),
  }));
}
