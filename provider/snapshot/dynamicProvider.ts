/*
 * The dynamic provider of both resources. The engine starts it in a separate process, from the text in
 * `serializedProvider`. The state of every snapshot contains that text, so every later version of this package
 * must keep this module and its export.
 */
import type * as pulumi from "@pulumi/pulumi";
import { isDeepStrictEqual } from "node:util";
import { displayShare } from "../errors/displayText.js";
import { ProjectServiceError } from "../errors/projectServiceError.js";
import { fieldsVersion } from "../model/projectFields.js";
import { settingKeys } from "../settings/settingsTable.js";
import { defaultNamespace, findInConfig, type FoundSettings } from "../settings/foundSettings.js";
import { secretSignature, signatureKey, unknownValue } from "../wire/pulumiSafeJson.js";
import { certainText, refreshError, tooManyRemovals, warn, wayOut } from "./providerMessages.js";
import { projectsIn, type RecordedProperties } from "./record.js";
import {
  complete,
  differenceOf,
  type NewRecord,
  openService,
  type Reader,
  reread,
} from "./reread.js";
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
        const filters = [...(recorded.filters ?? []), ...(inputs.filters ?? [])];
        const record = await recordWith(found, id, filters, recorded, (reader) =>
          complete(reader, recorded, inputs, difference),
        );
        return { inputs: toProperties(record) };
      } catch (error) {
        if (!(error instanceof ProjectServiceError)) throw error;
        const text = [...certainText(error), error.message, ...found.warnings];
        // With a property, the engine would print its value.
        const reason = `${error.code}: ${[...text, ...wayOut(error, id, false)].join(" ")}`;
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
      // Another user or limit alone is no change.
      const silent = { account: "", maxRemovals: 0 };
      const isUnchanged = isDeepStrictEqual({ ...recorded, ...silent }, { ...inputs, ...silent });
      // The engine compares the inputs itself.
      return Promise.resolve(isUnchanged ? { replaces, changes: false } : { replaces });
    },

    /** For `pulumi refresh`, which does not run the program. */
    async read(id, recorded = {}) {
      const found = settingsIn(recorded.connection, config);
      try {
        const filters = recorded.filters ?? [];
        const record = await recordWith(found, id, filters, recorded, (reader) =>
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
 * Makes a new record, and says what leaves it.
 *
 * @param filters the engine decrypts them, and nothing says which values are secret.
 * @throws ProjectServiceError `SETTINGS_INVALID`, and `LIST_INCOMPLETE` if too many projects leave it.
 */
async function recordWith(
  found: FoundSettings,
  id: string,
  filters: NonNullable<RecordedProperties["filters"]>,
  recorded: RecordedProperties,
  make: (reader: Reader) => Promise<NewRecord>,
): Promise<RecordedProperties> {
  const areSecret = filters.some(({ key }) => key === "projectId");
  const service = await openService(found, areSecret);
  const reader: Reader = { service, warn: (sentence) => warn(id, sentence) };
  return service.hideArguments(async () => {
    const { record, absences, emptied } = await make(reader);
    const left = [...absences].filter(
      ([, why]) => why === "deleted" || why === "no longer matching",
    );
    const leaving = left.map(([projectId, why]) => `${projectId} (${why})`);
    const all = [...leaving, ...emptied.map((projectId) => `${projectId} (no environments)`)];
    const count = projectsIn(recorded).size;
    const limit = record.maxRemovals ?? Math.max(3, count / 20);
    if (all.length > limit) {
      throw tooManyRemovals(all, count, !isDeepStrictEqual(record.filters, recorded.filters));
    }
    if (leaving.length > 0) {
      const share = displayShare(leaving.length, count, "project");
      reader.warn(`${share} will be removed from the record${service.namesAfterColon(leaving)}.`);
    }
    if (emptied.length > 0) {
      const share = displayShare(emptied.length, count, "project");
      reader.warn(
        `${share} will have no environments any more${service.namesAfterColon(emptied)}.`,
      );
    }
    return record;
  });
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
