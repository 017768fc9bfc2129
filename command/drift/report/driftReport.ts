import { compareValues } from "../../../provider/model/selection.js";
import { packageInfo } from "../../../provider/service/packageInfo.js";
import type { SnapshotChanges } from "../compare/snapshotChanges.js";
import { compareSnapshot } from "../compare/compareSnapshot.js";
import { couldNotLook } from "../couldNotLook.js";
import type { Preview } from "../preview.js";

/** What `project-service drift` found. `schemas/drift-report.schema.json` describes its JSON. */
export interface DriftReport {
  readonly tool: typeof packageInfo;
  /** Whether the service has changed since the last update. */
  readonly drift: boolean;
  readonly summary: {
    readonly changes: number;
    /** How many recorded or new projects have changed. */
    readonly changedProjects: number;
    /** How many recorded projects were compared. Absent if the preview does not show unchanged snapshots. */
    readonly comparedProjects?: number;
  };
  readonly snapshots: readonly SnapshotChanges[];
  /** How many other resources an update would change, by operation, for instance `create`. */
  readonly otherResources: Readonly<Record<string, number>>;
}

/**
 * Compares the snapshots of a preview.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` if none is recorded, or if one has recorded another
 *   service.
 */
export function createReport({ snapshots, otherResources, hidesUnchanged }: Preview): DriftReport {
  if (!hidesUnchanged && snapshots.every(({ before }) => before === undefined)) {
    throw couldNotLook(
      "no snapshot is recorded. Run pulumi up first, with a ProjectsSnapshot or a ProjectSnapshot in the program.",
    );
  }
  // The engine reports resources in another order each time.
  const compared = snapshots
    .map(compareSnapshot)
    .sort((a, b) => compareValues(a.name, b.name) || compareValues(a.urn, b.urn));
  const changes = compared.flatMap((snapshot) => snapshot.changes);
  const ids = changes.flatMap(({ projectId }) => projectId ?? []);
  const comparedProjects = compared.reduce((sum, { projects }) => sum + projects, 0);
  return {
    tool: packageInfo,
    drift: changes.length > 0,
    summary: {
      changes: changes.length,
      changedProjects: new Set(ids).size,
      ...(hidesUnchanged ? {} : { comparedProjects }),
    },
    snapshots: compared,
    otherResources,
  };
}
