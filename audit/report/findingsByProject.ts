import type { Finding } from "../rules/finding.js";

/** Groups findings by the id of their project. */
export function findingsByProject(findings: readonly Finding[]): Map<string, Finding[]> {
  const byProject = new Map<string, Finding[]>();
  for (const finding of findings) {
    const ofProject = byProject.get(finding.projectId);
    if (ofProject === undefined) byProject.set(finding.projectId, [finding]);
    else ofProject.push(finding);
  }
  return byProject;
}
