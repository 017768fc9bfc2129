import { type AuditReport, createReport } from "../../audit/report/report.js";
import type { ProjectToCheck } from "../../audit/rules/auditedProject.js";
import { houseRules } from "../../audit/houseRules/houseRules.js";
import { mapProject, withoutCredentials } from "../../provider/wire/mapping.js";
import type { WireProject } from "../../provider/wire/validate.js";
import { sampleProjects } from "../../sandbox/index.js";

/** Returns the report on `projectCount` projects, with about four findings for each. */
export function fleetReport(projectCount: number): AuditReport {
  const samples = sampleProjects();
  const projects = Array.from({ length: projectCount }, (_, index) => {
    const project = samples[index % samples.length] as unknown as WireProject;
    const named = { ...project, _id: `p-${index + 1}`, name: `${project.name}-${index + 1}` };
    return mapProject(named, withoutCredentials);
  });
  return judge(projects);
}

/** Judges projects as the audit does, with a rule that makes more findings than its default. */
export function judge(projects: readonly ProjectToCheck[]): AuditReport {
  return createReport(
    {
      tool: { name: "pulumi-project-service", version: "0.0.0" },
      service: "https://projects.example.com/api/project/v5",
      createdAt: "2026-03-02T09:30:00.000Z",
      scope: { filters: [], listedProjects: projects.length },
      failOn: "note",
      acceptedEntries: [],
    },
    projects,
    houseRules({ keptDeployments: { minimum: 6 } }).filter(({ snapshotsOnly }) => !snapshotsOnly),
  );
}
