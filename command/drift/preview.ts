import { spawn } from "node:child_process";
import { once } from "node:events";
import { buffer, text } from "node:stream/consumers";
import { stripVTControlCharacters } from "node:util";
import { displayText } from "../../provider/errors/displayText.js";
import {
  argumentInvalid,
  type ProjectServiceError,
} from "../../provider/errors/projectServiceError.js";
import { projectSnapshotType, projectsSnapshotType } from "../../provider/snapshot/providerText.js";
import { requireFolder } from "../filePath.js";
import { say } from "../standardStreams.js";

/** A preview, as far as it is about snapshots. */
export interface Preview {
  readonly snapshots: readonly PreviewedSnapshot[];
  /** How many other resources would change, by operation, for instance `create`. */
  readonly otherResources: Readonly<Record<string, number>>;
}

/** A JSON object, such as the inputs of a resource. */
export type Json = Readonly<Record<string, unknown>>;

/** A snapshot before and after the update that was previewed. */
export interface PreviewedSnapshot {
  readonly type: "ProjectSnapshot" | "ProjectsSnapshot";
  readonly name: string;
  readonly urn: string;
  /** The inputs before the update. Undefined if nothing is recorded yet. */
  readonly before: Json | undefined;
  /** The inputs after the update. Undefined if the program no longer has the snapshot. */
  readonly after: Json | undefined;
  /** The inputs that would change, also those whose values Pulumi hides. */
  readonly changed: ReadonlySet<string>;
}

/** Returns the error of a command that cannot say whether there is drift. */
export function couldNotLook(reason: string): ProjectServiceError {
  return argumentInvalid(`Could not look for drift: ${reason}`);
}

/**
 * Runs `pulumi preview`. A refresh would take the drift into the state first, and unchanged resources show that
 * something is recorded.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` if it fails. The message contains what Pulumi says.
 */
export async function runPreview(
  directory: string,
  stackName: string | undefined,
): Promise<Preview> {
  requireFolder(directory);
  const options = ["--json", "--refresh=false", "--show-sames", "--non-interactive"];
  const stack = stackName === undefined ? [] : ["--stack", stackName];
  say("Running pulumi preview…");
  return readPreview(await run(directory, ["preview", ...options, ...stack]));
}

/** What a preview printed. */
export interface Ended {
  /** The exit code or the signal. */
  readonly ended: number | NodeJS.Signals | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** @throws ProjectServiceError `ARGUMENT_INVALID` if the preview failed. */
export function readPreview({ ended, stdout, stderr }: Ended): Preview {
  const json = parsed(stdout);
  // The JSON has the error of a program, and standard error that of the CLI.
  const errors = messagesIn(json, "error");
  if (ended !== 0 || errors.length > 0) throw previewFailed(ended, [...errors, stderr]);
  for (const line of [...messagesIn(json, "warning"), stderr].flatMap(linesOf)) say(line);
  if (json?.["changeSummary"] === undefined) {
    throw couldNotLook("pulumi preview printed no complete JSON of a preview.");
  }
  return previewOf(json);
}

async function run(directory: string, args: readonly string[]): Promise<Ended> {
  // With options of another preview, this one would look at other resources, or print something else.
  const ignored = /^PULUMI_(OPTION_|ENABLE_STREAMING_JSON_PREVIEW$)/;
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([variable]) => !ignored.test(variable)),
  );
  const child = spawn("pulumi", args, { cwd: directory, env, stdio: ["ignore", "pipe", "pipe"] });
  // A terminal sends its interrupt to Pulumi too, which then ends in order.
  const onInterrupt = () => {};
  const onTerminate = () => child.kill("SIGTERM");
  process.on("SIGINT", onInterrupt).on("SIGTERM", onTerminate);
  try {
    const [[code, signal], stdout, stderr] = await Promise.all([
      once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>,
      buffer(child.stdout),
      text(child.stderr),
    ]);
    return { ended: code ?? signal, stdout, stderr };
  } catch (error) {
    if (child.pid !== undefined) throw error;
    const { code } = error as NodeJS.ErrnoException;
    const advice = code === "ENOENT" ? " Install the Pulumi CLI, and put it on PATH." : "";
    throw couldNotLook(`pulumi did not start (${code}).${advice}`);
  } finally {
    process.off("SIGINT", onInterrupt).off("SIGTERM", onTerminate);
  }
}

const maxLines = 30;
/** A line of a stack trace in Node or in a package. */
const foreignFrame = /^ +at .*(node:|node_modules)/;
/** The program reads the project of a ProjectSnapshot, and fails without it. */
const missingProject =
  /ProjectServiceError \[(NOT_FOUND|FORBIDDEN|AMBIGUOUS_NAME)\]: ProjectSnapshot: /;

function previewFailed(ended: Ended["ended"], messages: readonly string[]): ProjectServiceError {
  const lines = messages.flatMap(linesOf).filter((line) => !foreignFrame.test(line));
  const how = lines.length === 0 ? `ended with ${ended}` : "failed";
  return couldNotLook(
    [
      `pulumi preview ${how}, so no snapshot was compared.`,
      ...lines.slice(0, maxLines),
      ...(lines.length > maxLines ? ["…"] : []),
      ...(lines.some((line) => missingProject.test(line))
        ? [
            "The project may have been deleted or renamed in the service, the user may have lost access to it, or the program may name it wrongly. The preview ended there, so the other snapshots were not compared either. In a ProjectsSnapshot, a removed project is a line of the drift report.",
          ]
        : []),
    ].join("\n"),
  );
}

/** Returns the lines of a message, safe to show. */
function linesOf(message: string): string[] {
  return stripVTControlCharacters(message)
    .split("\n")
    .map((line) => displayText(line.trimEnd(), 1000))
    .filter((line) => line !== "");
}

/** Returns undefined if the text is no JSON object. */
function parsed(bytes: Buffer): Json | undefined {
  try {
    return asObject(JSON.parse(new TextDecoder().decode(bytes)));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    const size = `${Math.round(bytes.length / 1e6)} MB`;
    throw couldNotLook(
      `the preview has ${size} of JSON, which is too large. Record fewer projects or fields in a stack.`,
    );
  }
}

function messagesIn(json: Json | undefined, severity: string): string[] {
  const diagnostics = asList(json?.["diagnostics"]).map(asObject);
  return diagnostics.flatMap((each) =>
    each?.["severity"] === severity ? String(each["message"]) : [],
  );
}

const snapshotTypes = new Map<unknown, PreviewedSnapshot["type"]>([
  [projectSnapshotType, "ProjectSnapshot"],
  [projectsSnapshotType, "ProjectsSnapshot"],
]);

function previewOf(json: Json): Preview {
  // A resource that is replaced has several steps.
  const snapshots = new Map<string, PreviewedSnapshot>();
  const operations = new Map<string, string>();
  for (const step of asList(json["steps"]).map((each) => asObject(each) ?? {})) {
    const [oldState, newState] = [asObject(step["oldState"]), asObject(step["newState"])];
    const fullType = (newState ?? oldState)?.["type"];
    const type = snapshotTypes.get(fullType);
    const [urn, op] = [String(step["urn"]), String(step["op"])];
    if (type !== undefined) {
      const earlier = snapshots.get(urn);
      snapshots.set(urn, {
        type,
        urn,
        name: urn.split("::").slice(3).join("::"),
        before: earlier?.before ?? asObject(oldState?.["inputs"]),
        after: earlier?.after ?? asObject(newState?.["inputs"]),
        changed: new Set([...(earlier?.changed ?? []), ...changedInputs(step)]),
      });
    } else if (!["same", "read", "refresh"].includes(op) && fullType !== "pulumi:pulumi:Stack") {
      operations.set(urn, op.includes("replace") ? "replace" : op);
    }
  }
  const otherResources: Record<string, number> = {};
  for (const op of operations.values()) otherResources[op] = (otherResources[op] ?? 0) + 1;
  return { snapshots: [...snapshots.values()], otherResources };
}

/** Pulumi says which inputs change in two places: by name, and by paths such as `projects["p-1"].domain`. */
function changedInputs(step: Json): string[] {
  const paths = Object.keys(asObject(step["detailedDiff"]) ?? {});
  const reasons = asList(step["diffReasons"]).map(String);
  return [...reasons, ...paths.map((path) => path.split(/[.[]/, 1)[0] as string)];
}

/** Returns a value if it is an object. */
export function asObject(value: unknown): Json | undefined {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? (value as Json) : undefined;
}

/** Returns the elements of a list. Any other value has none. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
