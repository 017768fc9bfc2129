import { type Level, levels } from "../rules/finding.js";
import type { Rule } from "../rules/rule.js";
import type { Checked } from "../rules/runRules.js";
import type { AcceptedEntry, ReportedFinding } from "./acceptance.js";

/**
 * The result of an audit, which every format shows. Contains no credentials.
 * `schemas/audit-report.schema.json` describes its fields.
 */
export interface AuditReport {
  readonly tool: { readonly name: string; readonly version: string };
  readonly service: string;
  readonly createdAt: string;
  readonly scope: { readonly filters: readonly string[]; readonly listedProjects: number };
  readonly failOn: FailOn;
  readonly rules: readonly ReportedRule[];
  readonly projects: readonly ReportedProject[];
  readonly findings: readonly ReportedFinding[];
  readonly staleAcceptances: readonly AcceptedEntry[];
  /** Numbers of projects, and of findings: of those that are not accepted, except `accepted`. */
  readonly summary: Readonly<
    Record<"projects" | "clean" | "violated" | "unknown" | "failing" | "accepted", number>
  > & { readonly levels: Readonly<Record<Level, number>> };
}

/** The levels that can fail an audit, from the fewest findings that fail it to the most, or `never`. */
export const failOnLevels = [...levels, "never"] as const;

type FailOn = (typeof failOnLevels)[number];

export interface ReportedRule extends Pick<
  Rule,
  "name" | "severity" | "description" | "reason" | "remedy" | "environments"
> {
  readonly checked: Checked;
}

export interface ReportedProject {
  readonly projectId: string;
  readonly name: string;
  readonly environmentIds?: readonly string[] | undefined;
  readonly inaccessible?: string | undefined;
}

export interface FormatOptions {
  /** Width of the terminal, in columns. */
  readonly width: number;
  readonly hasColors: boolean;
  /** Whether SARIF and Code Quality leave accepted findings out. */
  readonly omitAccepted: boolean;
}

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
