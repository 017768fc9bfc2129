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

/** Returns a result with a text for each sample, for instance "1.1 (1.05 to 1.22 in 7 runs)". */
export function displaySamples(result: unknown): unknown {
  if (typeof result !== "object" || result === null || Array.isArray(result)) return result;
  if ("median" in result) {
    const { median, min, max, runs } = result as Sample;
    const [middle, least, most] = [median, min, max].map((value) => Number(value.toPrecision(3)));
    return `${middle} (${least} to ${most} in ${runs} runs)`;
  }
  return Object.fromEntries(
    Object.entries(result).map(([key, value]) => [key, displaySamples(value)]),
  );
}
