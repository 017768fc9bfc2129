import { groupBy } from "../../provider/model/groupBy.js";
import { type FindingIdentity, findingKey } from "../rules/finding.js";

/** The part of a report that is compared with another one. */
interface ComparedReport {
  readonly createdAt: string;
  readonly groupBy?: string | undefined;
  readonly rules: readonly {
    readonly name: string;
    readonly environments?: readonly string[] | undefined;
  }[];
  readonly projects: readonly {
    readonly projectId: string;
    readonly group?: string | undefined;
    readonly inaccessible?: string | undefined;
  }[];
  readonly findings: readonly FindingIdentity[];
}

type Change = "new" | "gone" | "kept";

/**
 * Compares the findings of two reports on one service.
 *
 * @param comparingRules the rules that compare projects. They find less if they do not see all of them.
 */
export function compareReports(
  earlier: ComparedReport,
  now: ComparedReport,
  comparingRules: readonly string[],
) {
  const scopes = ({ rules }: ComparedReport) =>
    new Map(rules.map(({ name, environments }) => [name, String(environments?.toSorted())]));
  const [earlierScopes, scopesNow] = [scopes(earlier), scopes(now)];
  const names = new Set([...earlierScopes.keys(), ...scopesNow.keys()]);
  const isRead = ({ projects }: ComparedReport) =>
    new Map(projects.map(({ projectId, inaccessible }) => [projectId, inaccessible === undefined]));
  const [before, after] = [isRead(earlier), isRead(now)];
  const unread = [...after].flatMap(([id, isReadNow]) =>
    before.has(id) && before.get(id) !== isReadNow ? id : [],
  );
  const rules = [...names].filter(
    (name) =>
      earlierScopes.get(name) !== scopesNow.get(name) ||
      (unread.length > 0 && comparingRules.includes(name)),
  );
  const [leftRules, leftProjects] = [new Set(rules), new Set(unread)];
  const isComparable = ({ rule, projectId }: FindingIdentity) =>
    !leftRules.has(rule) && !leftProjects.has(projectId);
  const findingsBefore = earlier.findings.filter(isComparable);
  const findingsNow = now.findings.filter(isComparable);
  const keysBefore = new Set(findingsBefore.map(findingKey));
  const keysNow = new Set(findingsNow.map(findingKey));
  const all = [
    ...findingsNow.map((finding) => ({
      finding,
      change: keysBefore.has(findingKey(finding)) ? ("kept" as const) : ("new" as const),
    })),
    ...findingsBefore
      .filter((finding) => !keysNow.has(findingKey(finding)))
      .map((finding) => ({ finding, change: "gone" as const })),
  ];
  // A project that is gone has the group of the earlier report, if that had the same key.
  const earlierProjects = earlier.groupBy === now.groupBy ? earlier.projects : [];
  const groups = new Map(
    [...earlierProjects, ...now.projects].map(({ projectId, group }) => [projectId, group]),
  );
  const changesBy = (nameOf: (finding: FindingIdentity) => string) =>
    [...groupBy(all, ({ finding }) => nameOf(finding))].map(([name, some]) => ({
      name,
      ...changesOf(some),
    }));
  return {
    since: earlier.createdAt,
    ...changesOf(all),
    goneWithProject: all.filter(({ finding }) => !after.has(finding.projectId)).length,
    byRule: changesBy(({ rule }) => rule),
    byGroup: changesBy(({ projectId }) => groups.get(projectId) ?? "(none)"),
    notCompared: { rules, projects: unread },
  };
}

/** Returns numbers of findings, accepted ones too. */
function changesOf(all: readonly { readonly change: Change }[]) {
  const count = (wanted: Change) => all.filter(({ change }) => change === wanted).length;
  return { new: count("new"), gone: count("gone"), kept: count("kept") };
}
