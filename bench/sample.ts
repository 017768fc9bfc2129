/** Summary of several runs of one measurement. */
export interface Sample {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly runs: number;
}

export function sampleOf(values: readonly number[]): Sample {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const [lower, upper] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return {
    median: ((lower as number) + (upper as number)) / 2,
    min: sorted[0] as number,
    max: sorted.at(-1) as number,
    runs: sorted.length,
  };
}

/** Returns for instance "1.10 (1.05 to 1.22 in 7 runs)". */
export function displaySample({ median, min, max, runs }: Sample): string {
  return `${median.toFixed(2)} (${min.toFixed(2)} to ${max.toFixed(2)} in ${runs} runs)`;
}
