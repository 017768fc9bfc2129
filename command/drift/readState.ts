/* The snapshots in the state of a stack, as `pulumi stack export` prints it. */
import { text } from "node:stream/consumers";
import { displayText } from "../../provider/errors/displayText.js";
import {
  argumentInvalid,
  type ProjectServiceError,
} from "../../provider/errors/projectServiceError.js";
import type { RecordedProperties } from "../../provider/snapshot/record.js";
import { projectSnapshotType, projectsSnapshotType } from "../../provider/snapshot/resources.js";
import { secretSignature, signatureKey } from "../../provider/wire/pulumiSafeJson.js";
import type { SettingsSource } from "../commandSettings.js";
import { checkDecryption, readPulumi } from "../pulumi.js";
import { parseJson, readJsonFile } from "../readJson.js";

/** A JSON object, such as the properties of a resource. */
export type JsonObject = Readonly<Record<string, unknown>>;

export interface RecordedSnapshot {
  readonly type: "ProjectSnapshot" | "ProjectsSnapshot";
  readonly name: string;
  readonly urn: string;
  /** The recorded properties. The credentials are decrypted. */
  readonly recorded: JsonObject & RecordedProperties;
  /** Whether the credentials could not be decrypted. */
  readonly isEncrypted: boolean;
  /** The other properties that are secret, or contain a secret. They stay as the state has them. */
  readonly secretKeys: readonly string[];
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

/** Reads the snapshots of a stack. Secrets are decrypted only if a snapshot has credentials. */
export async function readStack({ directory, stack }: SettingsSource): Promise<RecordedSnapshot[]> {
  const exportStack = async (...options: string[]) => {
    const args = ["stack", "export", ...options];
    return snapshotsIn(await readPulumi(args, directory, stack, "pass --state"));
  };
  const snapshots = await exportStack();
  if (!snapshots.some(({ isEncrypted }) => isEncrypted)) return snapshots;
  const decrypted = await exportStack("--show-secrets");
  const failed = decrypted.find(({ isEncrypted }) => isEncrypted);
  if (failed === undefined) return decrypted;
  // With a wrong passphrase, CLI 3.220.0 prints null for each secret, and ends with 0.
  throw cannotCheck(`Pulumi did not decrypt the secrets of ${titleOf(failed)}. ${checkDecryption}`);
}

/** Reads the snapshots of an exported state from a file, or with `-` from standard input. */
export async function readStateFile(file: string): Promise<RecordedSnapshot[]> {
  if (file !== "-") return readJsonFile(file, "--state", snapshotsIn);
  return snapshotsIn(parseJson(await text(process.stdin), "Standard input"));
}

interface StateResource {
  readonly urn: string;
  readonly type: string;
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

function snapshotsIn(state: unknown): RecordedSnapshot[] {
  const { deployment } = Object(state) as { deployment?: { resources?: unknown } | null };
  const resources = deployment?.resources ?? [];
  if (typeof deployment !== "object" || !Array.isArray(resources)) {
    throw cannotCheck(
      "the JSON is not the state of a stack. Pass what pulumi stack export prints.",
    );
  }
  const snapshots = (resources as readonly StateResource[]).flatMap((resource) => {
    const type = snapshotTypes.get(resource.type);
    const isLeft = resource.delete === true || resource.pendingReplacement === true;
    return type === undefined || isLeft ? [] : [parseSnapshot(type, resource)];
  });
  if (snapshots.length > 0) return snapshots;
  throw cannotCheck(
    "the state has no ProjectsSnapshot or ProjectSnapshot. If the program has one, run pulumi preview. Otherwise add one, and run pulumi up.",
  );
}

function parseSnapshot(
  type: RecordedSnapshot["type"],
  { urn, inputs, outputs, ignoreChanges: ignored = [], modified }: StateResource,
): RecordedSnapshot {
  // After an update without changes, only the inputs have the present account.
  const properties: JsonObject = { ...outputs, account: inputs?.["account"] };
  const stored = properties["credentials"];
  const credentials = hasSecret(stored) ? decryptedValue(stored as JsonObject) : stored;
  const secretKeys = Object.keys(properties).filter(
    (key) => key !== "credentials" && hasSecret(properties[key]),
  );
  const recorded = { ...properties, credentials };
  const isEncrypted = credentials === null;
  const name = urn.split("::").slice(3).join("::");
  return { type, name, urn, recorded, isEncrypted, secretKeys, ignored, modified };
}

/** Whether a value is a secret, or contains one. */
function hasSecret(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const object = value as JsonObject;
  return object[signatureKey] === secretSignature || Object.values(object).some(hasSecret);
}

/** Returns the clear text of a secret, or null if it is encrypted. */
function decryptedValue({ plaintext }: JsonObject): unknown {
  try {
    return JSON.parse(plaintext as string);
  } catch {
    return null;
  }
}
