/*
 * The dynamic provider of both resources. The engine starts it in a separate process, from the text in
 * `serializedProvider`. The state of every snapshot contains that text, so every later version of this package
 * must keep this module and its export.
 */
import type * as pulumi from "@pulumi/pulumi";
import { isDeepStrictEqual } from "node:util";
import { displayList, displayShare } from "../errors/displayText.js";
import { ProjectServiceError } from "../errors/projectServiceError.js";
import { fieldsVersion } from "../model/projectFields.js";
import { settingKeys } from "../settings/settingsTable.js";
import { defaultNamespace, findInConfig, type FoundSettings } from "../settings/foundSettings.js";
import { resolveSettings } from "../settings/resolveSettings.js";
import { secretSignature, signatureKey, unknownValue } from "../wire/pulumiSafeJson.js";
import { certain, refreshError, refusedRecord, settingsAdvice, warn } from "./providerMessages.js";
import { projectsIn, type RecordedProperties } from "./record.js";
import { complete, differenceOf, type NewRecord, type Reader, reread } from "./reread.js";
import { projectsSnapshotId } from "./resources.js";

export function createProvider(): pulumi.dynamic.ResourceProvider<
  RecordedProperties,
  RecordedProperties
> {
  let config: pulumi.dynamic.Config | undefined;
  return {
    configure(request) {
      config = request.config;
      return Promise.resolve();
    },

    /** For `pulumi preview` and `pulumi up`, when the program has read the projects. */
    async check(recorded, inputs) {
      const id = inputs.projectId ?? projectsSnapshotId;
      const found = settingsIn(inputs.connection, config);
      try {
        const difference = differenceOf(recorded, inputs);
        if (difference === undefined) return { inputs };
        const areSecret = [recorded, inputs].some((each) => each.hasSecretArguments === true);
        const record = await recordWith(found, id, areSecret, recorded, (reader) =>
          complete(reader, recorded, inputs, difference),
        );
        return { inputs: toProperties(record) };
      } catch (error) {
        if (!(error instanceof ProjectServiceError)) throw error;
        const text = [certain, error.message, ...found.warnings, ...settingsAdvice(error)];
        // With a property, the engine would print its value.
        const reason = `${error.code}: ${text.join(" ")}`;
        return { inputs, failures: [{ property: "", reason }] };
      }
    },

    // The program has read the projects. A snapshot never changes the service.
    create: (inputs) =>
      Promise.resolve({ id: inputs.projectId ?? projectsSnapshotId, outs: inputs }),
    update: (_id, _olds, news) => Promise.resolve({ outs: news }),
    diff(id, recorded, inputs) {
      // An id that is not known yet is probably the same. A ProjectsSnapshot has none.
      const { projectId = id } = inputs;
      const replaces = projectId === id || projectId === unknownValue ? [] : ["projectId"];
      // Another user alone is no change.
      const isUnchanged = isDeepStrictEqual(
        { ...recorded, account: "" },
        { ...inputs, account: "" },
      );
      // The engine compares the inputs itself.
      return Promise.resolve(isUnchanged ? { replaces, changes: false } : { replaces });
    },

    /** For `pulumi refresh`, which does not run the program. */
    async read(id, recorded = {}) {
      const found = settingsIn(recorded.connection, config);
      try {
        const areSecret = recorded.hasSecretArguments === true;
        const record = await recordWith(found, id, areSecret, recorded, (reader) =>
          reread(reader, recorded),
        );
        if (projectsIn(record).size === 0) return { id: "", props: {} };
        const props = toProperties({ ...record, fieldsVersion });
        return { id, props, inputs: { ...props } };
      } catch (error) {
        if (!(error instanceof ProjectServiceError)) throw error;
        throw refreshError(error, id, found.warnings);
      }
    },
  };
}

/**
 * Makes a new record, with the settings that were found.
 *
 * @throws ProjectServiceError `SETTINGS_INVALID`, and `LIST_INCOMPLETE` if too many projects leave it.
 */
async function recordWith(
  found: FoundSettings,
  id: string,
  areSecret: boolean,
  recorded: RecordedProperties,
  make: (reader: Reader) => Promise<NewRecord>,
): Promise<RecordedProperties> {
  const { getProjectService } = await import("../reading/projectService.js");
  const service = getProjectService(resolveSettings(found)).forArguments(areSecret);
  const reader: Reader = { service, warn: (sentence) => warn(id, sentence) };
  const type = id === projectsSnapshotId ? "ProjectsSnapshot" : "ProjectSnapshot";
  return service.hideArguments(type, async () =>
    acceptLeaving(reader, recorded, await make(reader)),
  );
}

/** Says which projects leave the record. Refuses a record that would be empty, or that too many projects leave. */
function acceptLeaving(
  { service, warn: say }: Reader,
  recorded: RecordedProperties,
  { record, leaving }: NewRecord,
): RecordedProperties {
  const gone = [...leaving].map(([projectId, why]) => `${projectId} (${why})`);
  if (gone.length === 0) return record;
  const count = projectsIn(recorded).size;
  const share = displayShare(gone.length, count, "recorded project");
  if (record.projects !== undefined && projectsIn(record).size === 0) {
    throw refusedRecord(
      "LIST_INCOMPLETE",
      `No recorded project is left: ${displayList(gone)}. A ProjectsSnapshot cannot be empty. Check baseUrl, the user and the filters.`,
      "remove the ProjectsSnapshot from the program or change its filters, and run pulumi up --refresh=false",
      "these projects",
    );
  }
  const isEmptied = [...leaving.values()].includes("no environments");
  const leave = `leave the record${isEmptied ? ", or lose all environments" : ""}`;
  if (gone.length > (record.maxRemovals ?? Math.max(3, count / 20))) {
    const isNew = !isDeepStrictEqual(record.filters, recorded.filters);
    throw refusedRecord(
      "LIST_INCOMPLETE",
      `${isNew ? "The filters have changed. " : ""}${share} would ${leave} at once: ${displayList(gone)}. Check the filters, the user and the service.`,
      `pass maxRemovals: ${gone.length} to the ProjectsSnapshot, and run pulumi up --refresh=false, because a refresh uses the recorded number`,
      "them",
    );
  }
  say(`${share} will ${leave}${service.namesAfterColon(gone)}.`);
  return record;
}

/** Returns properties as the program sends them: without `undefined`, and the credentials for the engine to encrypt. */
function toProperties<P extends RecordedProperties>({ credentials, ...others }: P): P {
  const secret = credentials && { [signatureKey]: secretSignature, value: credentials };
  return JSON.parse(JSON.stringify({ ...others, credentials: secret })) as P;
}

/** Nothing says which values the config encrypts. An address is the only one that a message may show. */
function settingsIn(
  namespace = defaultNamespace,
  config: pulumi.dynamic.Config | undefined,
): FoundSettings {
  const values = settingKeys.flatMap((key) => {
    const fullKey = `${namespace}:${key}`;
    const value = config?.get(fullKey);
    return value === undefined ? [] : [[fullKey, { value, secret: !key.endsWith("Url") }] as const];
  });
  return findInConfig(namespace, Object.fromEntries(values));
}
