import { houseRules } from "../../audit/policies.js";
import { type AuditReport, makeReport } from "../../audit/report.js";
import { mapProject } from "../../provider/mapping.js";
import type { WireProject } from "../../provider/schemas.js";
import { type SandboxProject, sampleProjects } from "../../sandbox/index.js";
import { withoutCredentials } from "../../sdk/seal.js";
import { setAt } from "./project.js";

/** A report on projects as the service would send them. */
export function reportOn(projects: SandboxProject[]): AuditReport {
  return makeReport(
    {
      tool: { name: "pulumi-project-service", version: "1.2.3" },
      service: "https://projects.example.com/api/project/v5",
      createdAt: "2026-03-02T09:30:00.000Z",
    },
    projects.map((project) => mapProject(project as unknown as WireProject, withoutCredentials)),
    houseRules().filter(({ snapshotsOnly }) => !snapshotsOnly),
  );
}

/** Texts with which a service could try to be more than text in a report. */
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

/** The sandbox's projects, one that says little, and one for each hostile text, which is all over it. */
export function hostileProjects(): SandboxProject[] {
  const [silent] = sampleProjects();
  setAt(silent, ["_id"], "silent");
  setAt(silent, ["projectEnvironments", 0, "environmentId"], "production");
  setAt(silent, ["projectEnvironments", 1, "projectEnvironmentCode", "webroot"], undefined);
  return [...sampleProjects(), silent as SandboxProject, ...hostileTexts.map(hostileProject)];
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
