/* The snapshots in the state of a stack, as `pulumi stack export` prints it. */
import { readFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import { displayText } from "../../provider/errors/displayText.js";
import {
  argumentInvalid,
  type ProjectServiceError,
} from "../../provider/errors/projectServiceError.js";
import type { RecordedProperties } from "../../provider/snapshot/recordProjects.js";
import { projectSnapshotType, projectsSnapshotType } from "../../provider/snapshot/resources.js";
import { secretSignature, signatureKey } from "../../provider/wire/pulumiSafeJson.js";
import type { SettingsSource } from "../commandSettings.js";
import { checkDecryption, runPulumi } from "../pulumi.js";

/** A JSON object, such as the properties of a resource. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A snapshot in a state. */
export interface RecordedSnapshot {
  readonly type: "ProjectSnapshot" | "ProjectsSnapshot";
  readonly name: string;
  readonly urn: string;
  readonly id: string;
  /** The recorded properties, decrypted. */
  readonly recorded: JsonObject & RecordedProperties;
  /** The properties that are secret, or contain a secret. */
  readonly secretKeys: ReadonlySet<string>;
  /** The secret properties that could not be decrypted. They are not in `recorded`. */
  readonly encryptedKeys: ReadonlySet<string>;
  /** The option `ignoreChanges`. */
  readonly ignored: readonly string[];
  /** When the record was last changed, in ISO 8601. */
  readonly modified: string | undefined;
}

export function titleOf({ type, name }: Pick<RecordedSnapshot, "type" | "name">): string {
  return `${type} ${displayText(name)}`;
}

export function cannotCheck(reason: string): ProjectServiceError {
  return argumentInvalid(`Cannot check for drift: ${reason}`);
}

/** Reads the snapshots of a stack. Secrets are decrypted only if a snapshot has some. */
export async function readStack(source: SettingsSource): Promise<RecordedSnapshot[]> {
  const snapshots = await exportStack(source, []);
  const hasSecrets = snapshots.some(({ secretKeys }) => secretKeys.size > 0);
  return hasSecrets ? exportStack(source, ["--show-secrets"]) : snapshots;
}

async function exportStack(
  { directory, stack }: SettingsSource,
  options: readonly string[],
): Promise<RecordedSnapshot[]> {
  const json = await runPulumi(
    ["stack", "export", ...options],
    directory,
    stack,
    "or pass --state",
  );
  const snapshots = snapshotsIn(json, "pulumi stack export printed");
  const [first] = snapshots.filter(({ encryptedKeys }) => encryptedKeys.size > 0);
  // With a wrong passphrase, CLI 3.220.0 prints null for each secret, and ends with 0.
  if (options.length === 0 || first === undefined) return snapshots;
  throw cannotCheck(`Pulumi did not decrypt the secrets of ${titleOf(first)}. ${checkDecryption}`);
}

/** Reads the snapshots of an exported state from a file, or with `-` from standard input. */
export async function readStateFile(file: string): Promise<RecordedSnapshot[]> {
  return snapshotsIn(file === "-" ? await buffer(process.stdin) : readFile(file), "--state has");
}

function readFile(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw argumentInvalid(`Reading --state ${displayText(file, 1000)} failed: ${code}.`);
  }
}

interface StateJson {
  readonly deployment?: { readonly resources?: readonly StateResource[] | null } | null;
}

interface StateResource {
  readonly urn: string;
  readonly type: string;
  readonly id?: string;
  readonly inputs?: JsonObject;
  readonly outputs?: JsonObject;
  readonly ignoreChanges?: readonly string[];
  readonly modified?: string;
  readonly delete?: boolean;
  readonly pendingReplacement?: boolean;
}

const snapshotTypes = new Map<string, RecordedSnapshot["type"]>([
  [projectSnapshotType, "ProjectSnapshot"],
  [projectsSnapshotType, "ProjectsSnapshot"],
]);

/** @param source what has printed the state, for the message. */
function snapshotsIn(json: Buffer, source: string): RecordedSnapshot[] {
  let state: StateJson | undefined;
  try {
    state = JSON.parse(json.toString()) as StateJson;
  } catch {
    // Node's own error would quote the state.
  }
  const resources = state?.deployment?.resources;
  if (typeof state?.deployment !== "object") {
    throw cannotCheck(`${source} no JSON state, or one of more than 512 MB.`);
  }
  const snapshots = (resources ?? []).flatMap((resource) => {
    const type = snapshotTypes.get(resource.type);
    const isLeft = resource.delete === true || resource.pendingReplacement === true;
    return type === undefined || isLeft ? [] : [snapshotOf(type, resource)];
  });
  if (snapshots.length > 0) return snapshots;
  throw cannotCheck(
    "the state has no ProjectsSnapshot or ProjectSnapshot. Add one to the program, and run pulumi up.",
  );
}

function snapshotOf(
  type: RecordedSnapshot["type"],
  { urn, id = "", inputs, outputs, ignoreChanges = [], modified }: StateResource,
): RecordedSnapshot {
  const secretKeys = new Set<string>();
  const encryptedKeys = new Set<string>();
  const recorded: Record<string, unknown> = {};
  // An update without a change keeps the outputs, and who has looked is in the inputs.
  const properties = { ...outputs, account: inputs?.["account"] };
  for (const [key, value] of Object.entries(properties)) {
    const secrets: unknown[] = [];
    const decrypted = decryptedValue(value, secrets);
    if (secrets.length > 0) secretKeys.add(key);
    if (secrets.some((secret) => secret === undefined || secret === null)) encryptedKeys.add(key);
    else if (key !== "__provider") recorded[key] = decrypted;
  }
  const name = urn.split("::").slice(3).join("::");
  return {
    type,
    name,
    urn,
    id,
    recorded,
    secretKeys,
    encryptedKeys,
    ignored: ignoreChanges,
    modified,
  };
}

/**
 * Returns a value with its secrets in clear text.
 *
 * @param secrets receives each of them, or undefined for one that is encrypted.
 */
function decryptedValue(value: unknown, secrets: unknown[]): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((element) => decryptedValue(element, secrets));
  const object = value as JsonObject;
  if (object[signatureKey] === secretSignature) {
    const { plaintext } = object;
    const secret = typeof plaintext === "string" ? parseSecret(plaintext) : undefined;
    secrets.push(secret);
    return decryptedValue(secret, secrets);
  }
  const entries = Object.entries(object);
  return Object.fromEntries(entries.map(([key, inner]) => [key, decryptedValue(inner, secrets)]));
}

function parseSecret(plaintext: string): unknown {
  try {
    return JSON.parse(plaintext);
  } catch {
    return undefined;
  }
}
