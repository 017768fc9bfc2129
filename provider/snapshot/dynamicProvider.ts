/*
 * The dynamic provider of both resources. The engine starts it in a separate process, from the text in
 * `serializedProvider`. The state of every snapshot contains that text, so every later version of this package
 * must keep this module and its exports.
 */
import type * as pulumi from "@pulumi/pulumi";
import { isDeepStrictEqual } from "node:util";
import { displayText } from "../errors/displayText.js";
import { ProjectServiceError } from "../errors/projectServiceError.js";
import { fieldsVersion } from "../model/projectFields.js";
import { UnprovenAbsenceError } from "../service/missingProjects.js";
import { settingKeys } from "../settings/connectionSettings.js";
import { resolveSettings } from "../settings/resolveSettings.js";
import { defaultNamespace, findInConfig, type FoundSettings } from "../settings/foundSettings.js";
import { secretSignature, signatureKey, unknownValue } from "../wire/pulumiSafeJson.js";
import { checkLostLists, lostLists } from "./lostLists.js";
import {
  checkAddress,
  keepRecorded,
  missingIds,
  type ReadAgain,
  type Reader,
  readProjectAgain,
  readProjectsAgain,
  type RecordedProperties,
} from "./recordedProjects.js";
import { projectsSnapshotId, resultKeys } from "./resources.js";

export const createProvider = () => providerOf(readProjectAgain);
export const createProjectsProvider = () => providerOf(readProjectsAgain);

function providerOf(
  readAgain: ReadAgain,
): pulumi.dynamic.ResourceProvider<RecordedProperties, RecordedProperties> {
  let config: pulumi.dynamic.Config | undefined;
  return {
    configure(request) {
      config = request.config;
      return Promise.resolve();
    },

    /** For `pulumi preview` and `pulumi up`, when the program has read the projects. */
    async check(recorded, inputs) {
      const lost = lostLists(recorded, inputs);
      if (missingIds(recorded, inputs).length + lost.length === 0) return { inputs };
      const found = settingsIn(inputs.connection, config);
      try {
        const id = inputs.projectId ?? projectsSnapshotId;
        const filters = [...(recorded.filters ?? []), ...(inputs.filters ?? [])];
        const reader = await readerWith(found, recorded, id, filters);
        await checkLostLists(reader, lost);
        const { record } = await keepRecorded(reader, recorded, inputs, inputs);
        return { inputs: sent(record) };
      } catch (error) {
        if (!(error instanceof ProjectServiceError)) throw error;
        // With a property, the engine would print its value.
        const text = [`${error.code}: ${error.message}`, ...found.warnings, ...wayOut(error)];
        const reason = text.join(" ");
        return { inputs, failures: [{ property: "", reason }] };
      }
    },

    // The program has read the projects. A snapshot never changes the service.
    create: (inputs) =>
      Promise.resolve({ id: inputs.projectId ?? projectsSnapshotId, outs: inputs }),
    update: (_id, _olds, news) => Promise.resolve({ outs: news }),
    diff(id, recorded, inputs) {
      const { projectId = id } = inputs;
      warnOfOtherService(id, recorded.service, inputs.service);
      // The engine compares the other inputs itself. An id that is not known yet is probably the same.
      const isSame = projectId === id || projectId === unknownValue;
      const replaces = isSame ? [] : ["projectId"];
      const isUnchanged =
        recorded.account !== inputs.account &&
        isDeepStrictEqual({ ...recorded, account: "" }, { ...inputs, account: "" });
      return Promise.resolve(isUnchanged ? { replaces, changes: false } : { replaces });
    },

    /** For `pulumi refresh`, which does not run the program. */
    async read(id, recorded = {}) {
      const found = settingsIn(recorded.connection, config);
      try {
        const reader = await readerWith(found, recorded, id);
        // Versions before did not record the default.
        const { includeCredentials = recorded.credentials !== undefined } = recorded;
        const { record } = await readAgain(reader, id, { ...recorded, includeCredentials });
        if (record === undefined) return { id: "", props: {} };
        warnOfRemoved(reader, recorded, record);
        const props = sent({
          // The arguments, and what a transformation or a policy has added.
          ...Object.fromEntries(Object.entries(recorded).filter(([key]) => !resultKeys.has(key))),
          ...record,
          includeCredentials,
          fieldsVersion,
        });
        return { id, props, inputs: { ...props } };
      } catch (error) {
        if (!(error instanceof ProjectServiceError)) throw error;
        throw printable(error, id, found.warnings);
      }
    },
  };
}

/** @throws ProjectServiceError `SETTINGS_INVALID` */
async function readerWith(
  found: FoundSettings,
  recorded: RecordedProperties,
  id: string,
  filters = recorded.filters,
): Promise<Reader> {
  const { getProjectService } = await import("../service/projectService.js");
  const service = getProjectService(resolveSettings(found));
  checkAddress(service, recorded.service);
  const userOrigin = found.found.username?.origin ?? "nowhere";
  // The engine decrypts the filters, and nothing says which values are secret.
  const hidesIds = filters?.some(({ key }) => key === "projectId") === true;
  return { service, userOrigin, hidesIds, warn: (sentence) => warn(id, sentence) };
}

function warnOfRemoved(
  reader: Reader,
  recorded: RecordedProperties,
  read: RecordedProperties,
): void {
  const removed = missingIds(recorded, read).length;
  if (removed === 0) return;
  const all = Object.keys(recorded.projects ?? {}).length.toLocaleString("en");
  reader.warn(`removed ${removed.toLocaleString("en")} of ${all} projects from the record.`);
}

/** Returns properties as the program sends them: without `undefined`, and the credentials for the engine to encrypt. */
function sent<P extends RecordedProperties>({ credentials, ...others }: P): P {
  const secret = credentials && { [signatureKey]: secretSignature, value: credentials };
  return JSON.parse(JSON.stringify({ ...others, credentials: secret })) as P;
}

/** Nothing says which values the config encrypts. An address is the only one that a message may show. */
function settingsIn(
  namespace = defaultNamespace,
  config: pulumi.dynamic.Config | undefined,
): FoundSettings {
  const values = Object.keys(settingKeys).flatMap((key) => {
    const fullKey = `${namespace}:${key}`;
    const value = config?.get(fullKey);
    return value === undefined ? [] : [[fullKey, { value, secret: !key.endsWith("Url") }] as const];
  });
  return findInConfig(namespace, Object.fromEntries(values));
}

function warnOfOtherService(id: string, recorded = unknownValue, named = unknownValue): void {
  if (recorded === named || [recorded, named].includes(unknownValue)) return;
  warn(
    id,
    `recorded from the service at ${displayText(recorded, 200)}, now read from ${displayText(named, 200)}. If this is a mistake, check baseUrl and connection.`,
  );
}

/** The engine shows what a provider writes to standard error. */
function warn(id: string, sentence: string): void {
  console.error(`warning: ${subjectOf(id)}: ${sentence}`);
}

function subjectOf(id: string): string {
  return id === projectsSnapshotId ? "projects" : `project ${displayText(id)}`;
}

/** Returns how to record a list of projects without proof. */
function wayOut(error: ProjectServiceError): string[] {
  if (!(error instanceof UnprovenAbsenceError) || error.code === "RESPONSE_INVALID") return [];
  return [
    "The state stays as it is. To record the present list without this proof: pulumi up --refresh=false --replace '**ProjectsSnapshot::<name>'",
  ];
}

/** Pulumi gives a provider the config that it keeps in the state. */
const advice =
  "A refresh uses the settings of the last command that ran the program. If they have changed since, run pulumi up --refresh=false, or pulumi refresh --run-program. pulumi destroy --refresh=false does not read the service.";

/**
 * Pulumi prints an error of a dynamic provider as `${error}: ${error.stack}`, followed by its message.
 *
 * @param warnings about the settings, which may explain the error.
 */
function printable(error: ProjectServiceError, id: string, warnings: readonly string[]): Error {
  const { code, message } = error;
  const parts = [message, ...warnings];
  if (code !== "LIST_INCOMPLETE") parts.push(advice);
  if (id === projectsSnapshotId) parts.push(...wayOut(error));
  const text = parts.join(message.includes("\n") ? "\n" : " ");
  return Object.assign(new Error(text), { stack: subjectOf(id), toString: () => code });
}
