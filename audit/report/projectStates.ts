import { compareValues } from "../../provider/model/compareValues.js";
import { groupBy } from "../../provider/model/groupBy.js";
import type { JudgedFinding } from "./acceptance.js";

/** Numbers of projects: with open findings, with accepted ones only, and without findings. */
export interface ProjectStates {
  readonly open: number;
  readonly accepted: number;
  readonly clean: number;
}

/** The projects that have one value at the key of `--group-by`. */
export interface ProjectGroup extends ProjectStates {
  readonly name: string;
}

interface Project {
  readonly projectId: string;
  /** The value at the key of `--group-by`. */
  readonly group?: string | undefined;
}

type Findings = readonly Pick<JudgedFinding, "projectId" | "accepted">[];

export function projectStates(projects: readonly Project[], findings: Findings): ProjectStates {
  const idsOf = (some: Findings) => new Set(some.map(({ projectId }) => projectId));
  const count = (ids: ReadonlySet<string>) =>
    projects.filter(({ projectId }) => ids.has(projectId)).length;
  const found = count(idsOf(findings));
  const open = count(idsOf(findings.filter(({ accepted }) => accepted === undefined)));
  return { open, accepted: found - open, clean: projects.length - found };
}

/** Returns the groups, those with the most open projects first. */
export function projectGroups(projects: readonly Project[], findings: Findings): ProjectGroup[] {
  const byProject = groupBy(findings, ({ projectId }) => projectId);
  return [...groupBy(projects, ({ group = "" }) => group)]
    .map(([name, members]) => {
      const found = members.flatMap(({ projectId }) => byProject.get(projectId) ?? []);
      return { name, ...projectStates(members, found) };
    })
    .sort((a, b) => b.open - a.open || b.accepted - a.accepted || compareValues(a.name, b.name));
}
