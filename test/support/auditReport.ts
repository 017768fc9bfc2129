import {
  defineRule,
  builtInRules,
  type ProjectToCheck,
  type Rule,
  violated,
} from "../../audit/policies.js";
import type { AcceptedEntry } from "../../audit/report/acceptance.js";
import { createAuditReport } from "../../audit/report/auditReport.js";
import type { AuditReport } from "../../audit/report/auditReport.js";
import { runAudit } from "../../audit/report/runAudit.js";
import { levels } from "../../audit/rules/finding.js";
import { withoutCredentials } from "../../provider/wire/credentials.js";
import { mapProject } from "../../provider/wire/mapping.js";
import type { WireProject } from "../../provider/wire/validate.js";
import { type SandboxProject, sampleProjects } from "../../sandbox/index.js";
import { setAt, setOwnServers } from "./project.js";

/** Returns a report, by default on everything, without accepted findings. */
export function reportOn(
  projects: readonly ProjectToCheck[],
  rules: readonly Rule[],
  acceptedEntries: readonly AcceptedEntry[] = [],
  changes: Partial<Pick<AuditReport, "scope" | "failOn" | "groupBy">> = {},
): AuditReport {
  const context = {
    tool: { name: "pulumi-project-service", version: "1.2.3" },
    service: "https://projects.example.com/api/project/v5",
    createdAt: "2026-03-02T09:30:00.000Z",
    scope: { filters: [], exclude: [], listedProjects: projects.length },
    failOn: "note" as const,
    ...changes,
  };
  const isFiltered = context.scope.filters.length > 0;
  const result = runAudit(projects, rules, isFiltered);
  return createAuditReport(context, result, acceptedEntries, isFiltered);
}

/** The built-in rules, and a rule of each level that some projects violate. */
const rulesOfEachLevel = [
  ...builtInRules(),
  ...levels.map((level) =>
    defineRule({
      name: `${level}-rule`,
      level,
      description: "The name of a project is short.",
      reason: "A long name does not fit.",
      remedy: "Choose a shorter name.",
      checkProject: ({ name }) =>
        name.length > 4 ? [violated("The name has more than 4 characters.")] : [],
    }),
  ),
];

/**
 * Returns the report on hostile projects with findings of every level, of which some are accepted, for
 * some the acceptance has expired, and one acceptance is stale.
 */
export function mixedReport(failOn: AuditReport["failOn"] = "note"): AuditReport {
  const projects = hostileProjects();
  const { findings } = reportOn(projects, rulesOfEachLevel);
  const accepted = findings.flatMap((finding, index): AcceptedEntry[] => {
    const reason = hostileTexts[index % hostileTexts.length] ?? "";
    if (finding.state === "undecided") return [];
    if (index % 3 === 0) return [{ ...finding, reason, until: "2026-03-02" }];
    if (index % 5 === 0) return [{ ...finding, reason, until: "2026-03-01" }];
    return index % 7 === 0 ? [{ ...finding, reason }] : [];
  });
  const stale: AcceptedEntry = {
    ...{ rule: "kept-deployments", projectId: "<gone>", subject: "deploymentsToKeep 2" },
    ...{ state: "violated", reason: "It was in the way." },
  };
  return reportOn(projects, rulesOfEachLevel, [...accepted, stale], { failOn });
}

/** Texts of a service that try to become markup, code, links or terminal commands in a report. */
export const hostileTexts = [
  `<img src=x onerror="window.hacked=1">`,
  `"><script>window.hacked=1</script>`,
  `</script><script>window.hacked=1</script>`,
  `' onmouseover='window.hacked=1`,
  `javascript:window.hacked=1`,
  "| x | `code` | [link](https://evil.example.com) @everyone #1 GH-26 _www.evil.example **bold**",
  "one\r\n| two |\u001b[2J\u202ethree",
  "${window.hacked=1}",
  "<style>*{display:none}</style>",
  "\u{e0041}\u0085\u009b31m\u2066\u2028\ufeff\u00ad\u2800 and what stays: é 漢字 👩 🏴",
  "##[group]a ##vso[task.setvariable variable=PATH]b ##teamcity[buildStop]c #\u00ad#\u034f[error]d",
  "::stop-commands::resume-token",
  "::resume-token:: ::add-mask::live ".repeat(3),
] as const;

/**
 * Returns the projects of the sandbox, a project with few fields, and a project for each hostile text,
 * which is in many of its fields.
 */
function hostileProjects(): ProjectToCheck[] {
  const sparse = sampleProjects()[0] as SandboxProject;
  sparse._id = "silent";
  sparse.projectEnvironments[0]!.environmentId = "production";
  setAt(sparse, ["projectEnvironments", 1, "projectEnvironmentCode", "webroot"], undefined);
  setOwnServers(sparse);
  const projects = [...sampleProjects(), sparse, ...hostileTexts.map(hostileProject)];
  return projects.map((each) => mapProject(each as unknown as WireProject, withoutCredentials));
}

function hostileProject(text: string, index: number): SandboxProject {
  const project = sampleProjects()[0] as SandboxProject;
  project._id = `hostile-${index}`;
  project.name = text;
  const [live, stage] = project.projectEnvironments;
  live!.projectEnvironmentCode.branch = { name: text, guarded: false };
  live!.projectEnvironmentCode.webroot = text;
  stage!.environmentId = text.slice(0, 8);
  for (const database of stage!.projectEnvironmentDatabases.databases) database.name = text;
  setOwnServers(project);
  return project;
}
