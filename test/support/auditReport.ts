import { houseRules } from "../../audit/policies.js";
import { type AuditReport, createReport } from "../../audit/report/report.js";
import { mapProject, withoutCredentials } from "../../provider/wire/mapping.js";
import type { WireProject } from "../../provider/wire/schemas.js";
import { type SandboxProject, sampleProjects } from "../../sandbox/index.js";
import { setAt } from "./project.js";

/** Returns the report on projects in the form that the service sends. */
export function reportOn(projects: SandboxProject[]): AuditReport {
  return createReport(
    {
      tool: { name: "pulumi-project-service", version: "1.2.3" },
      service: "https://projects.example.com/api/project/v5",
      createdAt: "2026-03-02T09:30:00.000Z",
    },
    projects.map((project) => mapProject(project as unknown as WireProject, withoutCredentials)),
    houseRules().filter(({ snapshotsOnly }) => !snapshotsOnly),
  );
}

/** Texts of a service that try to become markup, code, links or terminal commands in a report. */
export const hostileTexts = [
  `<img src=x onerror="window.hacked=1">`,
  `"><script>window.hacked=1</script>`,
  `</script><script>window.hacked=1</script>`,
  `' onmouseover='window.hacked=1`,
  `javascript:window.hacked=1`,
  "| x | `code` | [link](https://evil.example.com) @everyone #1 **bold**",
  "one\r\n| two |\u001b[2J\u202ethree",
  "${window.hacked=1}",
  "<style>*{display:none}</style>",
  "\u{e0041}\u0085\u009b31m\u2066\u2028\ufeff\u00ad and what stays: é 漢字 👩 🏴",
] as const;

/**
 * Returns the projects of the sandbox, a project with few fields, and a project for each hostile text,
 * which is in many of its fields.
 */
export function hostileProjects(): SandboxProject[] {
  const [sparse] = sampleProjects();
  setAt(sparse, ["_id"], "silent");
  setAt(sparse, ["projectEnvironments", 0, "environmentId"], "production");
  setAt(sparse, ["projectEnvironments", 1, "projectEnvironmentCode", "webroot"], undefined);
  return [...sampleProjects(), sparse as SandboxProject, ...hostileTexts.map(hostileProject)];
}

function hostileProject(text: string, index: number): SandboxProject {
  const project = sampleProjects()[0] as SandboxProject;
  project._id = `hostile-${index}`;
  project.name = text;
  const [live, stage] = project.projectEnvironments;
  if (live === undefined || stage === undefined) throw new Error("The shop has two environments");
  live.projectEnvironmentCode.branch = { name: text, guarded: false };
  live.projectEnvironmentCode.webroot = text;
  stage.environmentId = text.slice(0, 8);
  for (const database of stage.projectEnvironmentDatabases.databases) database.name = text;
  for (const group of live.projectEnvironmentAssets.assetGroups) group.id = `${text}-${group.id}`;
  return project;
}
