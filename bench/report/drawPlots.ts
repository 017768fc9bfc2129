import type { ContenderResult, ReadsResult } from "../reads/measureReads.js";
import { type Sample, sampleOf } from "../sample.js";
import type { RecordingResult } from "../stacks/measureRecording.js";
import { barPlot, linePlot, type Series } from "./plots.js";
import type { Results } from "./results.js";

/** Returns the plots of the documents as SVG, by file name without ending. */
export function drawPlots({
  reads,
  latency,
  previews,
  recording,
}: Results): Record<string, string> {
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
    recordingUp: recordingPlot(
      "Seconds of the first pulumi up, by number of projects",
      recording,
      ({ commands }) => commands.firstUp.seconds,
    ),
    recordingPreview: recordingPlot(
      "Seconds of a preview without changes, by number of projects",
      recording,
      ({ commands }) => commands.preview.seconds,
    ),
    recordingState: recordingPlot(
      "Size of the state in MB, by number of projects",
      recording,
      ({ stateMegabytes }) => sampleOf([stateMegabytes]),
    ),
  };
}

/** Leaves out the fleet of one project. It measures the start of Pulumi. */
function recordingPlot(
  title: string,
  recording: readonly RecordingResult[],
  valueOf: (result: RecordingResult) => Sample,
): string {
  const fleets = recording.filter(({ projects }) => projects > 1);
  const sizes = [...new Set(fleets.map(({ projects }) => projects))].sort((a, b) => a - b);
  const resources = [...new Set(fleets.map(({ resource }) => resource))];
  return linePlot({
    title,
    isLogarithmic: true,
    categories: sizes.map((size) => size.toLocaleString("en-US")),
    series: resources.map((resource) => ({
      label: resource === "ProjectSnapshot" ? "ProjectSnapshots" : resource,
      samples: sizes.map((size) => {
        const fleet = fleets.find((one) => one.resource === resource && one.projects === size);
        return fleet && valueOf(fleet);
      }),
    })),
  });
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
