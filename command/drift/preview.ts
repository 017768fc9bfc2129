import { projectSnapshotType, projectsSnapshotType } from "../../provider/snapshot/providerText.js";
import { couldNotLook, previewFailed } from "./couldNotLook.js";

/** The JSON of a `pulumi preview`, as far as it is about snapshots. */
export interface Preview {
  readonly snapshots: readonly PreviewedSnapshot[];
  /** How many other resources would change, by operation, for instance `create`. */
  readonly otherResources: Readonly<Record<string, number>>;
  /** Whether the preview leaves out resources that do not change, because it was made without `--show-sames`. */
  readonly hidesUnchanged: boolean;
  readonly warnings: readonly string[];
}

/** The members of a JSON object, for instance the inputs of a resource. */
export type Inputs = ReadonlyMap<string, unknown>;

/** A snapshot before and after the update that was previewed. */
export interface PreviewedSnapshot {
  readonly type: "ProjectSnapshot" | "ProjectsSnapshot";
  readonly name: string;
  readonly urn: string;
  /** The inputs before the update. Undefined if nothing is recorded yet. */
  readonly before: Inputs | undefined;
  /** The inputs after the update. Undefined if the program no longer has the snapshot. */
  readonly after: Inputs | undefined;
  /** The inputs that would change, also those whose values Pulumi hides. */
  readonly changed: ReadonlySet<string>;
}

const snapshotTypes = new Map<string | undefined, PreviewedSnapshot["type"]>([
  [projectSnapshotType, "ProjectSnapshot"],
  [projectsSnapshotType, "ProjectsSnapshot"],
]);

/**
 * Reads the JSON that `pulumi preview --json` prints.
 *
 * @param source where the JSON comes from, for messages.
 * @throws ProjectServiceError `ARGUMENT_INVALID` if it is not the JSON of a preview, or if the preview failed or refreshed a snapshot.
 */
export function readPreview(bytes: Buffer, source: string): Preview {
  const json = parse(bytes);
  if (json !== undefined) return previewOf(membersOf(json), source);
  throw couldNotLook(
    bytes.length === 0
      ? `${source} is empty. If pulumi preview failed, it printed the reason to standard error.`
      : `${source} is not complete JSON. It must be the standard output of pulumi preview --json, and nothing else.`,
  );
}

function previewOf(document: Inputs, source: string): Preview {
  const errors = messagesIn(document, "error");
  if (errors.length > 0) throw previewFailed("pulumi preview failed", errors);
  if (!document.has("changeSummary")) {
    throw couldNotLook(
      `${source} is not the JSON of a preview. Make it with pulumi preview --json --refresh=false --show-sames.`,
    );
  }
  const same = membersOf(document.get("changeSummary")).get("same");
  const steps = elementsOf(document.get("steps")).map(stepOf);
  const snapshots = steps.filter(({ snapshotType, isExternal }) => snapshotType && !isExternal);
  if (snapshots.some(({ op }) => op === "refresh")) {
    throw couldNotLook(
      "the preview refreshed the snapshots first, so it compared the service with itself. Make it with --refresh=false.",
    );
  }
  return {
    snapshots: mergedSnapshots(snapshots),
    otherResources: countOperations(steps.filter(({ snapshotType }) => !snapshotType)),
    hidesUnchanged: Number(same ?? 0) > steps.filter(({ op }) => op === "same").length,
    warnings: messagesIn(document, "warning"),
  };
}

/** Returns the errors in the JSON of a preview that failed. Other JSON has none. */
export function errorsIn(bytes: Buffer): string[] {
  return messagesIn(membersOf(parse(bytes)), "error");
}

/** Returns undefined if the text is not JSON. */
function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)); // without a byte order mark
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    const size = `${Math.round(bytes.length / 1e6)} MB`;
    throw couldNotLook(
      `the preview has ${size} of JSON, which is too large. Record fewer projects or fields in a stack.`,
    );
  }
}

function messagesIn(document: Inputs, severity: string): string[] {
  return elementsOf(document.get("diagnostics"))
    .map(membersOf)
    .filter((diagnostic) => diagnostic.get("severity") === severity)
    .map((diagnostic) => textOf(diagnostic.get("message")) ?? "");
}

type Step = ReturnType<typeof stepOf>;

function stepOf(json: unknown) {
  const step = membersOf(json);
  const [before, after] = ["oldState", "newState"].map((key) => membersOf(step.get(key)));
  const state = step.has("newState") ? after : before;
  const type = textOf(state?.get("type"));
  return {
    op: textOf(step.get("op")) ?? "",
    urn: textOf(step.get("urn")) ?? "",
    type,
    snapshotType: snapshotTypes.get(type),
    /** Whether the resource is read only, such as the result of `ProjectSnapshot.get`. */
    isExternal: state?.get("external") === true,
    before: inputsOf(before),
    after: inputsOf(after),
    changed: changedInputs(step),
  };
}

function inputsOf(state: Inputs | undefined): Inputs | undefined {
  return state?.has("inputs") ? membersOf(state.get("inputs")) : undefined;
}

/** Pulumi says which inputs change in two places: by name, and by paths such as `projects["p-1"].domain`. */
function changedInputs(step: Inputs): ReadonlySet<string> {
  const reasons = elementsOf(step.get("diffReasons")).map((one) => textOf(one) ?? "");
  const paths = [...membersOf(step.get("detailedDiff")).keys()];
  return new Set([...reasons, ...paths.map((path) => path.split(/[.[]/, 1)[0] as string)]);
}

/** A resource that is replaced has several steps. */
function mergedSnapshots(steps: readonly Step[]): PreviewedSnapshot[] {
  const merged = new Map<string, PreviewedSnapshot>();
  for (const { urn, snapshotType, before, after, changed } of steps) {
    const earlier = merged.get(urn);
    merged.set(urn, {
      urn,
      type: snapshotType ?? "ProjectSnapshot",
      name: urn.split("::").slice(3).join("::"),
      before: earlier?.before ?? before,
      after: earlier?.after ?? after,
      changed: new Set([...(earlier?.changed ?? []), ...changed]),
    });
  }
  return [...merged.values()];
}

const unchangedOperations: ReadonlySet<string> = new Set(["same", "read", "refresh"]);

function countOperations(steps: readonly Step[]): Record<string, number> {
  const byUrn = new Map<string, string>();
  for (const { op, urn, type } of steps) {
    if (unchangedOperations.has(op) || type === "pulumi:pulumi:Stack") continue;
    byUrn.set(urn, op.includes("replace") ? "replace" : op);
  }
  const counts: Record<string, number> = {};
  for (const op of byUrn.values()) counts[op] = (counts[op] ?? 0) + 1;
  return counts;
}

/** Returns the members of an object. Any other value has none. */
export function membersOf(value: unknown): Inputs {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return new Map(isObject ? Object.entries(value) : []);
}

/** Returns the elements of a list. Any other value has none. */
export function elementsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns a value if it is a text. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
