import type { ContenderResult, ReadsResult } from "../reads/measureReads.js";
import type { Sample } from "../sample.js";
import { barPlot, linePlot, type Series } from "./plots.js";
import type { Results } from "./results.js";

/** Returns the plots of docs/performance.md as SVG, by file name without ending. */
export function drawPlots({ reads, latency, previews }: Results): Record<string, string> {
  const readsOfThousand = reads.filter(({ projects }) => projects === 1_000);
  const readsBySize = reads
    .filter(({ credentials }) => credentials === "available")
    .sort((a, b) => a.projects - b.projects);
  return {
    throughput: barPlot({
      title: "Projects read per second (1,000 projects with details)",
      categories: readsOfThousand.map(({ credentials }) => `credentials ${credentials}`),
      series: seriesOf(readsOfThousand, ({ projectsPerSecond }) => projectsPerSecond),
    }),
    growth: linePlot({
      title: "Projects read per second, by number of projects",
      categories: readsBySize.map(({ projects }) => projects.toLocaleString("en-US")),
      series: seriesOf(readsBySize, ({ projectsPerSecond }) => projectsPerSecond),
    }),
    memory: linePlot({
      title: "Peak memory in MB, by number of projects",
      categories: readsBySize.map(({ projects }) => projects.toLocaleString("en-US")),
      series: seriesOf(readsBySize, ({ peakMegabytes }) => peakMegabytes),
    }),
    latency: barPlot({
      title: `Time divided by the ideal time, with ${latency.latencyMs} ms of latency`,
      categories: [`${latency.projects} projects`],
      series: Object.entries(latency.ratioToIdeal).map(([label, sample]) => ({
        label,
        samples: [sample],
      })),
    }),
    preview: barPlot({
      title: "Seconds for a pulumi preview with one read",
      categories: ["one getProjectOutput"],
      series: Object.entries(previews.seconds).map(([label, sample]) => ({
        label,
        samples: [sample],
      })),
    }),
  };
}

function seriesOf(
  results: readonly ReadsResult[],
  sampleOf: (result: ContenderResult) => Sample,
): Series[] {
  const names = Object.keys(results[0]?.contenders ?? {});
  return names.map((label) => ({
    label,
    samples: results.map(({ contenders }) => sampleOf(contenders[label] as ContenderResult)),
  }));
}
