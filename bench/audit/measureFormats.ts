import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { type FormatName, formatNames } from "../../audit/report/formatReport.js";
import { type Sample, sampleOf } from "../sample.js";
import type { FormatRun } from "./formatClient.js";

export interface FormatsResult {
  readonly projects: number;
  readonly findings: number;
  /** The time of each format divided by the findings, for JUnit by the cases. */
  readonly microsecondsPerFinding: Readonly<Record<FormatName, Sample>>;
  /** The same for the CPU time of the process. */
  readonly cpuMicrosecondsPerFinding: Readonly<Record<FormatName, Sample>>;
}

/** Measures how long each format takes. Each run is a new process. */
export function measureFormats(projects: number, rounds: number): FormatsResult {
  const runs = Object.fromEntries(formatNames.map((name) => [name, [] as FormatRun[]]));
  for (let round = 0; round < rounds; round++) {
    for (const name of formatNames) runs[name]?.push(runFormat(name, projects));
  }
  const perFinding = (time: "ms" | "cpuMs") =>
    Object.fromEntries(
      Object.entries(runs).map(([name, own]) => [
        name,
        sampleOf(own.map((run) => (run[time] * 1_000) / (run.cases || run.findings))),
      ]),
    ) as Record<FormatName, Sample>;
  return {
    projects,
    findings: runs["table"]?.[0]?.findings ?? 0,
    microsecondsPerFinding: perFinding("ms"),
    cpuMicrosecondsPerFinding: perFinding("cpuMs"),
  };
}

function runFormat(name: FormatName, projects: number): FormatRun {
  const args = [join(__dirname, "formatClient.js"), name, String(projects)];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" })) as FormatRun;
}
