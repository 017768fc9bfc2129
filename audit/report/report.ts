import { type Level, levels } from "../rules/finding.js";
import type { Rule } from "../rules/rule.js";
import type { Checked } from "../rules/runRules.js";
import type { AcceptedEntry, ReportedFinding } from "./acceptance.js";

/**
 * The result of an audit, which every format shows. Contains no credentials.
 * `schemas/audit-report.schema.json` describes its fields.
 */
export interface AuditReport {
  /** The program that created the report. */
  readonly tool: { readonly name: string; readonly version: string };
  /** Address of the audited Project Service. */
  readonly service: string;
  /** Time of the audit, as ISO 8601 in UTC. */
  readonly createdAt: string;
  readonly scope: {
    /** The filters, such as `name*=shop`. A project must match all of them. Empty: all projects. */
    readonly filters: readonly string[];
    /** Number of projects that the service lists, whether they match the filters or not. */
    readonly listedProjects: number;
  };
  /** The lowest level of a finding that fails the audit. Accepted findings never fail it. */
  readonly failOn: FailOn;
  readonly rules: readonly ReportedRule[];
  readonly projects: readonly ReportedProject[];
  /** Sorted by project, then by rule. */
  readonly findings: readonly ReportedFinding[];
  /** The accepted entries that match no finding. Empty if there were filters. They do not fail the audit. */
  readonly staleAcceptances: readonly AcceptedEntry[];
  /** Numbers of projects, and of findings: of those that are not accepted, except `accepted`. */
  readonly summary: Readonly<
    Record<"projects" | "clean" | "violated" | "unknown" | "failing" | "accepted", number>
  > & { readonly levels: Readonly<Record<Level, number>> };
}

/** The levels that can fail an audit, from the fewest findings that fail it to the most, or `never`. */
export const failOnLevels = [...levels, "never"] as const;

type FailOn = (typeof failOnLevels)[number];

/** The texts of a rule, its severity, and what it checked. */
export interface ReportedRule extends Pick<
  Rule,
  "name" | "severity" | "description" | "reason" | "remedy" | "environments"
> {
  readonly checked: Checked;
}

/** A project as the report names it. */
export interface ReportedProject {
  readonly projectId: string;
  readonly name: string;
  /** Undefined if the project could not be read, or if the service omits its environments. */
  readonly environmentIds?: readonly string[] | undefined;
  /** The code of the error, such as `FORBIDDEN`. Undefined if the project could be read. */
  readonly inaccessible?: string | undefined;
}

/** How a report is shown. */
export interface FormatOptions {
  /** Width of the terminal, in columns. */
  readonly width: number;
  readonly hasColors: boolean;
  /** Whether SARIF and Code Quality leave accepted findings out. */
  readonly omitAccepted: boolean;
}

/** Whether a finding fails the audit. */
export function isFailing({ level, accepted }: ReportedFinding, failOn: FailOn): boolean {
  if (accepted !== undefined || failOn === "never") return false;
  return levels.indexOf(level) <= levels.indexOf(failOn);
}

/**
 * Returns the places of a project that a rule checked: undefined for the project as a whole, or the ids of
 * environments. The list is empty if the project could not be read.
 */
export function checkedPlaces(
  { checked, environments }: ReportedRule,
  { inaccessible, environmentIds = [] }: ReportedProject,
): (string | undefined)[] {
  if (inaccessible !== undefined) return [];
  if ("projects" in checked) return [undefined];
  return environmentIds.filter((id) => environments?.includes(id) !== false);
}
