import type { PreviewedSnapshot } from "../preview.js";
import type { ProjectChange } from "./compareProjects.js";

/** What a preview says about a snapshot. */
export interface SnapshotChanges {
  readonly name: string;
  readonly type: PreviewedSnapshot["type"];
  readonly urn: string;
  /** How many recorded projects were compared. */
  readonly projects: number;
  /** Whether filters select the projects. */
  readonly isFiltered: boolean;
  readonly changes: readonly DriftChange[];
  readonly programChanges: readonly ProgramChange[];
}

/** A difference between what is recorded of the service and what it has now. */
export interface DriftChange extends Omit<ProjectChange, "change"> {
  /** Absent for the credentials of several projects. */
  readonly projectId?: string;
  /** The recorded name of the project, or the name of a new one. */
  readonly name?: string;
  /** `before` and `after` of an inaccessible project are the codes of its errors. */
  readonly change: ProjectChange["change"] | "inaccessible";
}

/** A change that the program makes. It is no drift. */
export interface ProgramChange {
  /**
   * The argument, such as `shard`. `secret` if the values are secret on one side only. Absent for a
   * snapshot that is new in the program or no longer in it.
   */
  readonly property?: string;
  readonly change: ProjectChange["change"];
  /** Absent if the values may be secret, or tell nothing. */
  readonly before?: unknown;
  readonly after?: unknown;
  /** How many projects the filters or the shard select in addition, and how many no longer. */
  readonly projectsAdded?: number;
  readonly projectsRemoved?: number;
}

/** A snapshot that is recorded and still in the program. */
export type ComparedSnapshot = PreviewedSnapshot &
  Required<{ [Key in "before" | "after"]: NonNullable<PreviewedSnapshot[Key]> }>;

/** The result of a comparison. */
export type Comparison = Pick<
  SnapshotChanges,
  "projects" | "isFiltered" | "changes" | "programChanges"
>;
