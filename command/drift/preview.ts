import { displayList, displayText } from "../../provider/errors/displayText.js";
import {
  argumentInvalid,
  type ProjectServiceError,
} from "../../provider/errors/projectServiceError.js";
import { groupBy } from "../../provider/model/groupBy.js";
import { projectSnapshotType, projectsSnapshotType } from "../../provider/snapshot/resources.js";
import type { SettingsLocation } from "../commandSettings.js";
import { printedLines, type PulumiRun, runPulumi } from "../pulumi.js";
import { say, showProgressLine } from "../standardStreams.js";

/** A JSON object, such as the inputs of a resource. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A snapshot before and after the update that was previewed. */
export interface PreviewedSnapshot {
  readonly type: "ProjectSnapshot" | "ProjectsSnapshot";
  readonly name: string;
  readonly urn: string;
  /** The inputs before the update. Undefined if nothing is recorded yet. */
  readonly before: JsonObject | undefined;
  /** The inputs after the update. */
  readonly after: JsonObject;
  /** The inputs that would change, also those whose values Pulumi hides. */
  readonly changed: ReadonlySet<string>;
  /** The option `ignoreChanges`: paths at which the inputs after the update are those before. */
  readonly ignored: readonly string[];
}

export interface RecordedSnapshot extends PreviewedSnapshot {
  readonly before: JsonObject;
}

/** Returns how messages name a snapshot. */
export function titleOf({ type, name }: Pick<PreviewedSnapshot, "type" | "name">): string {
  return `${type} ${displayText(name)}`;
}

/** Returns the error of a command that cannot say whether there is drift. */
export function couldNotLook(reason: string): ProjectServiceError {
  return argumentInvalid(`Could not look for drift: ${reason}`);
}

/**
 * Runs `pulumi preview`. A refresh would take the drift into the state first, and unchanged resources show that
 * something is recorded.
 */
export async function runPreview({ directory, stack }: SettingsLocation) {
  say("Running pulumi preview…");
  const args = ["preview", "--json", "--refresh=false", "--show-sames"];
  const text = (seconds: number) => `pulumi preview has been running for ${seconds} s`;
  return readPreview(await showProgressLine(text, () => runPulumi(args, directory, stack)));
}

/** What the command needs of the JSON of a preview. */
interface PreviewJson {
  readonly steps?: readonly Step[];
  readonly diagnostics?: readonly { readonly severity: string; readonly message: string }[];
  /** The last part, so that it shows that the JSON is complete. */
  readonly changeSummary?: object;
}

interface Step {
  readonly op: string;
  readonly urn: string;
  readonly oldState?: ResourceState;
  readonly newState?: ResourceState;
  readonly diffReasons?: readonly string[];
}

interface ResourceState {
  readonly type: string;
  readonly inputs?: JsonObject;
  readonly ignoreChanges?: readonly string[];
}

/**
 * @throws ProjectServiceError `ARGUMENT_INVALID` if the preview failed, with the errors of the program, or if it does not
 *   make a recorded snapshot.
 */
export function readPreview({ failure, stdout }: PulumiRun) {
  const { diagnostics = [], changeSummary, steps = [] } = parsed(stdout);
  const messagesOf = (wanted: string) =>
    diagnostics.flatMap(({ severity, message }) => (severity === wanted ? message : []));
  const errors = messagesOf("error");
  if (failure !== undefined || errors.length > 0) {
    const lines = errors.flatMap(printedLines);
    const head = "pulumi preview failed, so no snapshot was compared.";
    throw couldNotLook(lines.length === 0 ? String(failure) : [head, ...lines].join("\n"));
  }
  for (const line of messagesOf("warning").flatMap(printedLines)) say(line);
  if (changeSummary !== undefined) return previewOf(steps);
  throw couldNotLook("pulumi preview printed no complete JSON of a preview, or more than 512 MB.");
}

/** Returns an empty object if the text is no JSON, or too large. */
function parsed(json: Buffer): PreviewJson {
  try {
    return JSON.parse(json.toString()) as PreviewJson;
  } catch {
    return {};
  }
}

const snapshotTypes = new Map<string | undefined, PreviewedSnapshot["type"]>([
  [projectSnapshotType, "ProjectSnapshot"],
  [projectsSnapshotType, "ProjectsSnapshot"],
]);

function previewOf(allSteps: readonly Step[]) {
  const snapshots: PreviewedSnapshot[] = [];
  const gone: string[] = [];
  /** How many other resources would change, by operation, for instance `create`. */
  const otherResources: Record<string, number> = {};
  // A resource that is replaced has several steps.
  for (const [urn, steps] of groupBy(allSteps, (step) => step.urn)) {
    const oldState = steps.find((step) => step.oldState)?.oldState;
    const newState = steps.find((step) => step.newState)?.newState;
    const fullType = (newState ?? oldState)?.type;
    const type = snapshotTypes.get(fullType);
    const name = urn.split("::").slice(3).join("::");
    if (type === undefined) {
      const op = String(steps[0]?.op).replace(/.*replace.*/, "replace");
      const isChange = !["same", "read", "refresh"].includes(op);
      if (isChange && fullType !== "pulumi:pulumi:Stack") {
        otherResources[op] = (otherResources[op] ?? 0) + 1;
      }
    } else if (newState?.inputs === undefined) gone.push(titleOf({ type, name }));
    else {
      const { inputs: after, ignoreChanges: ignored = [] } = newState;
      const changed = new Set(steps.flatMap(({ diffReasons = [] }) => diffReasons));
      snapshots.push({ type, name, urn, before: oldState?.inputs, after, changed, ignored });
    }
  }
  if (gone.length === 0) return { snapshots, otherResources };
  // The program may no longer make it, or make one for each project that it finds in the service.
  throw couldNotLook(
    `${displayList(gone)} ${gone.length === 1 ? "is" : "are"} recorded, but not in this preview. If the program has changed, run pulumi up. If it makes a ProjectSnapshot for each project that it lists, a project was deleted or renamed: record them with one ProjectsSnapshot instead.`,
  );
}
