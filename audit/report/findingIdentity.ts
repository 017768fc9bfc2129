import { hash } from "node:crypto";
import type { Finding } from "../rules/finding.js";

/**
 * Returns the fingerprint of a finding, 64 hexadecimal digits. It stays the same as long as rule,
 * project and environment are the same.
 */
export function fingerprintOf({ rule, projectId, environmentId }: Finding): string {
  return hash("sha256", JSON.stringify([rule, projectId, environmentId ?? null]));
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
