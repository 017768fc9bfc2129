import { type Sample, sampleOf } from "../sample.js";
import { measureFleet } from "./measureFleet.js";
import type { CommandRun } from "./pulumiStack.js";

/** A ProjectsSnapshot compared with as many ProjectSnapshots, and with itself at other sizes. */
export interface RecordingResult {
  readonly projects: number;
  /** Seconds of the first `up` and of a preview without changes. */
  readonly seconds: Readonly<Record<"ProjectsSnapshot" | "ProjectSnapshots", UpAndPreview<Sample>>>;
  /** The time of the ProjectSnapshots divided by that of the ProjectsSnapshot. */
  readonly isFasterBy: UpAndPreview<Sample>;
  /** How much longer each of 1,000 projects takes than each of 200. */
  readonly growth: UpAndPreview<Sample>;
  /** The same for the CPU time of all processes. Other work disturbs it less. Only on Linux. */
  readonly cpuGrowth: UpAndPreview<Sample>;
}

interface UpAndPreview<T> {
  readonly up: T;
  readonly preview: T;
}

/** A command in the three sizes. */
interface Sizes {
  readonly of1: number;
  readonly of200: number;
  readonly of1000: number;
}

/**
 * Returns the time for each of 1,000 projects divided by that for each of 200. The time of a stack with
 * one project is the start of Pulumi, and is subtracted from both.
 */
export function growthOf({ of1, of200, of1000 }: Sizes): number {
  return (of1000 - of1) / 1_000 / ((of200 - of1) / 200);
}

/**
 * Compares one ProjectsSnapshot with `projects` ProjectSnapshots. The first `up` of the latter takes
 * minutes, so it runs once, and everything else `rounds` times.
 */
export async function measureRecording(projects: number, rounds: number): Promise<RecordingResult> {
  const own: OwnRound[] = [];
  for (let round = 0; round < rounds; round++) {
    own.push({
      of1: await recordAll(1),
      of200: await recordAll(200),
      compared: await recordAll(projects),
      of1000: await recordAll(1_000),
    });
  }
  const previews = Array.from({ length: rounds }, () => "preview" as const);
  const { runs } = await measureFleet(projects, "ProjectSnapshot", ["up", ...previews]);
  const [up, ...others] = runs as [CommandRun, ...CommandRun[]];
  const ratioTo = (other: CommandRun, run: CommandRun) => other.seconds / run.seconds;
  return {
    projects,
    seconds: {
      ProjectsSnapshot: {
        up: sampleOf(own.map(({ compared }) => compared.up.seconds)),
        preview: sampleOf(own.map(({ compared }) => compared.preview.seconds)),
      },
      ProjectSnapshots: {
        up: sampleOf([up.seconds]),
        preview: sampleOf(others.map(({ seconds }) => seconds)),
      },
    },
    isFasterBy: {
      up: sampleOf(own.map(({ compared }) => ratioTo(up, compared.up))),
      preview: sampleOf(
        own.map(({ compared }, round) => ratioTo(others[round] as CommandRun, compared.preview)),
      ),
    },
    growth: growth(own, ({ seconds }) => seconds),
    cpuGrowth: growth(own, ({ processes }) =>
      Object.values(processes).reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
    ),
  };
}

type OwnRound = Record<keyof Sizes | "compared", UpAndPreview<CommandRun>>;

async function recordAll(projects: number): Promise<UpAndPreview<CommandRun>> {
  const { runs } = await measureFleet(projects, "ProjectsSnapshot", ["up", "preview"]);
  const [up, preview] = runs as [CommandRun, CommandRun];
  return { up, preview };
}

function growth(
  rounds: readonly OwnRound[],
  timeOf: (run: CommandRun) => number,
): UpAndPreview<Sample> {
  const sample = (command: keyof UpAndPreview<CommandRun>) =>
    sampleOf(
      rounds.map(({ of1, of200, of1000 }) =>
        growthOf({
          of1: timeOf(of1[command]),
          of200: timeOf(of200[command]),
          of1000: timeOf(of1000[command]),
        }),
      ),
    );
  return { up: sample("up"), preview: sample("preview") };
}
