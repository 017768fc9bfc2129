import { displayList, displayText } from "../../provider/errors/displayText.js";
import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import { groupBy } from "../../provider/model/groupBy.js";
import type { AuditedProject } from "./auditedProject.js";
import {
  uniqueText,
  type Finding,
  findingKey,
  type FindingState,
  type Level,
  placeOf,
} from "./finding.js";
import { undecided, type Problem, type Rule } from "./rule.js";

/** A problem or a missing field that a check found, in a project as a whole or in one environment. */
export interface Observation {
  readonly project: AuditedProject;
  readonly environmentId?: string | undefined;
  readonly problem?: Problem;
  /** The path of a missing field that the check has read. */
  readonly missing?: string;
}

export function findingsOf(
  rule: Rule,
  projects: readonly AuditedProject[],
  observations: readonly Observation[],
): Finding[] {
  const byProject = groupBy(observations, ({ project }) => project);
  const findings = projects.flatMap((project) => {
    const places = groupBy(byProject.get(project) ?? [], ({ environmentId }) => environmentId);
    const problems = [...places].flatMap((place) => problemsAt(...place));
    return problems.map((problem) => createFinding(rule, project, problem));
  });
  return distinctFindings(findings);
}

/** All missing fields of a place together are one problem. */
function problemsAt(
  environmentId: string | undefined,
  observations: readonly Observation[],
): Problem[] {
  const problems = observations.flatMap(({ problem }) => problem ?? []);
  const fields = [...new Set(observations.flatMap(({ missing }) => missing ?? []))].sort();
  if (fields.length === 0) return problems;
  const message = `The rule cannot decide: missing ${displayList(fields, 5)}.`;
  const subject = `missing ${fields.join(", ")}`;
  return [...problems, undecided(message, { environmentId, subject })];
}

/** Enough for the longest message of a built-in rule. */
const maxMessageLength = 10_000;

function createFinding(
  { name, level, description, remedy }: Rule,
  project: AuditedProject,
  { state, message, subject, environmentId }: Problem,
): Finding {
  const { projectId, name: projectName } = project;
  return {
    rule: name,
    state,
    level: levelOf(level, state),
    projectId,
    projectName,
    ...(environmentId === undefined ? {} : { environmentId }),
    subject: uniqueText(subject ?? message),
    message: displayText(message, maxMessageLength),
    remedy:
      state === "violated"
        ? remedy
        : `Check it in the Project Service, and for a recorded project also the argument fields of its snapshot. The rule requires: ${description}`,
  };
}

/** The level of a rule, one step lower if the rule cannot decide. */
function levelOf(level: Level, state: FindingState): Level {
  if (state === "violated") return level;
  return level === "error" ? "warning" : "note";
}

/** Removes repeated findings: the service may list a database twice. Refuses others that one acceptance would cover. */
function distinctFindings(findings: readonly Finding[]): Finding[] {
  return [...groupBy(findings, findingKey).values()].map(([first, ...others]) => {
    if (others.every(({ message }) => message === first!.message)) return first!;
    throw argumentInvalid(
      `The rule ${first!.rule} returned two findings with one subject. ${placeOf(first!)}, subject "${displayText(first!.subject)}". Give each problem a subject of its own: violated(message, { subject }).`,
    );
  });
}
