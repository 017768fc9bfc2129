import type { Finding } from "./finding.js";

/** Findings by the id of their project. */
export function findingsByProject(findings: readonly Finding[]): Map<string, Finding[]> {
  const byProject = new Map<string, Finding[]>();
  for (const finding of findings) {
    const own = byProject.get(finding.projectId);
    if (own === undefined) byProject.set(finding.projectId, [finding]);
    else own.push(finding);
  }
  return byProject;
}
