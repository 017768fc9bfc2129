import type { Sample } from "../sample.js";

const width = 760;
const left = 70;
const right = 20;
const top = 64;
const plotHeight = 240;
const bottom = 50;
const legendStep = 160;
const colours = ["#0b6e4f", "#c4572b", "#3a5a98", "#8a6fb0"];
const font = `font-family="system-ui, sans-serif"`;

export interface Series {
  readonly label: string;
  /** One for each category, or undefined if it was not measured. */
  readonly samples: readonly (Sample | undefined)[];
}

interface Plot {
  readonly title: string;
  /** Whether the vertical axis is logarithmic. Default false. */
  readonly isLogarithmic?: boolean;
  /** Labels of the horizontal axis. */
  readonly categories: readonly string[];
  readonly series: readonly Series[];
}

/**
 * Draws the medians as bars, grouped by category. A thin line on each bar goes from the minimum to the
 * maximum of all runs.
 */
export function barPlot(plot: Plot): string {
  const { categories, series } = plot;
  const scale = linearScale(series);
  const groupWidth = (width - left - right) / categories.length;
  const barWidth = (groupWidth * 0.76) / series.length;
  const bars = series.flatMap(({ samples }, row) =>
    samples.map((sample, index) => {
      if (sample === undefined) return "";
      const x = left + index * groupWidth + groupWidth * 0.12 + row * barWidth;
      const y = scale.at(sample.median);
      return (
        `<rect x="${x.toFixed(1)}" y="${y}" width="${(barWidth - 4).toFixed(1)}" height="${scale.at(0) - y}" fill="${colours[row]}"/>` +
        rangeLine(sample, x + barWidth / 2 - 2, scale.at) +
        `<text x="${(x + barWidth / 2 - 2).toFixed(1)}" y="${scale.at(sample.max) - 5}" font-size="11" text-anchor="middle" fill="#222">${displayNumber(sample.median)}</text>`
      );
    }),
  );
  const labels = categories.map((label, index) =>
    categoryLabel(label, left + (index + 0.5) * groupWidth),
  );
  return drawFrame(plot, scale, [...bars, ...labels]);
}

/** Draws a line for each series through equally spaced categories. */
export function linePlot(plot: Plot): string {
  const { categories, series } = plot;
  const scale = plot.isLogarithmic === true ? logarithmicScale(series) : linearScale(series);
  const step = (width - left - right) / categories.length;
  const xOf = (index: number) => left + (index + 0.5) * step;
  const lines = series.map(({ samples }, row) => {
    const points = samples.flatMap((sample, index) =>
      sample === undefined ? [] : [{ x: xOf(index), y: scale.at(sample.median), sample }],
    );
    return [
      `<polyline points="${points.map(({ x, y }) => `${x.toFixed(1)},${y}`).join(" ")}" fill="none" stroke="${colours[row]}" stroke-width="2.5"/>`,
      ...points.map(
        ({ x, y, sample }) =>
          `<circle cx="${x.toFixed(1)}" cy="${y}" r="4" fill="${colours[row]}"/>` +
          rangeLine(sample, x, scale.at),
      ),
    ].join("");
  });
  const labels = categories.map((label, index) => categoryLabel(label, xOf(index)));
  return drawFrame(plot, scale, [...lines, ...labels]);
}

interface Scale {
  readonly ticks: readonly number[];
  readonly at: (value: number) => number;
}

function samplesOf(series: readonly Series[]): Sample[] {
  return series.flatMap(({ samples }) => samples.filter((sample) => sample !== undefined));
}

function linearScale(series: readonly Series[]): Scale {
  const maximum = Math.max(...samplesOf(series).map(({ max }) => max));
  const magnitude = 10 ** Math.floor(Math.log10(maximum));
  const step = [0.2, 0.5, 1, 2].map((part) => part * magnitude).find((part) => maximum / part <= 6);
  const tickStep = step ?? magnitude * 2;
  const end = Math.ceil((maximum * 1.05) / tickStep) * tickStep;
  const ticks = Array.from({ length: Math.round(end / tickStep) + 1 }, (_, n) => n * tickStep);
  return { ticks, at: (value) => Math.round(top + plotHeight * (1 - value / end)) };
}

/** From a number of the series 1, 2, 5, 10, … to another. */
function logarithmicScale(series: readonly Series[]): Scale {
  const samples = samplesOf(series);
  const [minimum, maximum] = [
    Math.min(...samples.map(({ min }) => min)),
    Math.max(...samples.map(({ max }) => max)),
  ];
  const firstPower = Math.floor(Math.log10(minimum));
  const numbers = Array.from(
    { length: Math.ceil(Math.log10(maximum)) - firstPower + 1 },
    (_, power) => [1, 2, 5].map((factor) => factor * 10 ** (firstPower + power)),
  ).flat();
  const start = numbers.findLastIndex((number) => number <= minimum);
  const end = numbers.findIndex((number) => number > maximum);
  const ticks = numbers.slice(start, end + 1);
  const [lowest, highest] = [ticks[0] as number, ticks.at(-1) as number];
  const part = (value: number) => Math.log(value / lowest) / Math.log(highest / lowest);
  return { ticks, at: (value) => Math.round(top + plotHeight * (1 - part(value))) };
}

function drawFrame(
  { title, series }: Plot,
  { ticks, at }: Scale,
  content: readonly string[],
): string {
  const height = top + plotHeight + bottom;
  const grid = ticks.map(
    (tick) =>
      `<line x1="${left}" x2="${width - right}" y1="${at(tick)}" y2="${at(tick)}" stroke="#ddd"/>` +
      `<text x="${left - 8}" y="${at(tick) + 4}" font-size="12" text-anchor="end" fill="#555">${displayNumber(tick)}</text>`,
  );
  const legend = series.map(
    ({ label }, row) =>
      `<rect x="${left + row * legendStep}" y="38" width="12" height="12" fill="${colours[row]}"/>` +
      `<text x="${left + row * legendStep + 18}" y="48" font-size="13" fill="#222">${label}</text>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" ${font}>`,
    `<title>${title}</title>`,
    `<rect width="${width}" height="${height}" rx="6" fill="#fff"/>`,
    `<text x="${left}" y="24" font-size="16" font-weight="600" fill="#111">${title}</text>`,
    ...legend,
    ...grid,
    ...content,
    "</svg>\n",
  ].join("\n");
}

function rangeLine({ min, max }: Sample, x: number, at: Scale["at"]): string {
  return `<line x1="${x.toFixed(1)}" x2="${x.toFixed(1)}" y1="${at(min)}" y2="${at(max)}" stroke="#222" stroke-width="1.2"/>`;
}

function categoryLabel(label: string, x: number): string {
  return `<text x="${x.toFixed(1)}" y="${top + plotHeight + 22}" font-size="13" text-anchor="middle" fill="#222">${label}</text>`;
}

function displayNumber(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString("en-US");
  return String(Number(value.toPrecision(3)));
}
