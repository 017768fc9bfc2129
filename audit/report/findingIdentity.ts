import { hash } from "node:crypto";
import { type Finding, findingKey } from "../rules/finding.js";

/** Returns the fingerprint of a finding, 64 hexadecimal digits, which stands for its identity. */
export function fingerprintOf(finding: Finding): string {
  return hash("sha256", findingKey(finding));
}

/**
 * Returns a path for a finding: `projects/<projectId>/<environmentId>`. Tools that review code show a
 * result only at a file. This path does not exist, but lists of results show it.
 */
export function pathOf({ projectId, environmentId }: Finding): string {
  const names = environmentId === undefined ? [projectId] : [projectId, environmentId];
  return `projects/${names.map(segmentOf).join("/")}`;
}

/** Encodes a segment of a path. A segment of dots alone would lead to the parent. */
function segmentOf(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replace(/^\.+$/, (dots) =>
    dots.replaceAll(".", "%2E"),
  );
}
