/** The fields of the JSON report that the script of the page reads. */
export interface PageReport {
  readonly rules: readonly { readonly name: string }[];
  readonly projects: readonly PageProject[];
  /** Sorted by project. */
  readonly findings: readonly PageFinding[];
}

export interface PageProject {
  readonly projectId: string;
  readonly name: string;
  readonly environmentIds: readonly string[];
}

export interface PageFinding {
  readonly rule: string;
  readonly state: "violated" | "unknown";
  readonly level: "error" | "warning" | "note";
  readonly projectId: string;
  readonly environmentId?: string;
  readonly subject: string;
  readonly message: string;
  readonly remedy: string;
  readonly accepted?: PageAcceptance;
  readonly expired?: PageAcceptance;
  readonly acceptedHere?: readonly (PageAcceptance & {
    readonly subject: string;
    readonly state: string;
  })[];
}

export interface PageAcceptance {
  readonly reason: string;
  readonly until?: string;
  readonly acceptedBy?: string;
}
