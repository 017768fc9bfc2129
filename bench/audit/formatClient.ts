/*
 * `formatClient.js <format> <projects>`: creates a report, shows it once in the format, and prints the
 * measurements as JSON.
 */
import { type FormatName, formatReport } from "../../audit/report/formatReport.js";
import { fleetReport } from "./fleetReport.js";

/** The measurements of one run. */
export interface FormatRun {
  readonly ms: number;
  /** The CPU time of the process, with V8's compilers and garbage collector. */
  readonly cpuMs: number;
  readonly findings: number;
  /** The cases of a JUnit report. In other formats 0. */
  readonly cases: number;
}

const [format, projects] = process.argv.slice(2) as [FormatName, string];
const report = fleetReport(Number(projects));
const startCpu = process.cpuUsage();
const startMs = performance.now();
const text = formatReport(report, format, { width: 100, hasColors: false, omitAccepted: false });
const ms = performance.now() - startMs;
const { user, system } = process.cpuUsage(startCpu);
const run: FormatRun = {
  ms,
  cpuMs: (user + system) / 1_000,
  findings: report.findings.length,
  cases: text.split("<testcase ").length - 1,
};
process.stdout.write(JSON.stringify(run));
