/*
 * The dynamic provider of both resources. The engine starts it in a separate process, from the text in
 * `serializedProvider`. The state of every snapshot contains that text, so every later version of this package
 * must keep this module and its exports.
 */
import type * as pulumi from "@pulumi/pulumi";
import { isDeepStrictEqual } from "node:util";
import { displayShare } from "../errors/displayText.js";
import { ProjectServiceError } from "../errors/projectServiceError.js";
import { fieldsVersion } from "../model/projectFields.js";
import { settingKeys } from "../settings/settingsTable.js";
import { defaultNamespace, findInConfig, type FoundSettings } from "../settings/foundSettings.js";
import { secretSignature, signatureKey, unknownValue } from "../wire/pulumiSafeJson.js";
import { checkLostLists, lostLists } from "./lostLists.js";
import { printable, warn, warnOfOtherService, wayOut } from "./providerMessages.js";
import {
  checkAccount,
  keepRecorded,
  missingIds,
  openService,
  type ReadRecord,
  type ReadAgain,
  type Reader,
  readProjectAgain,
  readProjectsAgain,
} from "./recordedProjects.js";
import type { RecordedProperties } from "./recordProjects.js";
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
      const missing = missingIds(recorded, inputs);
      const replaced = foreignReplaced(recorded, inputs);
      if (missing.length + lost.length + replaced.length === 0) return { inputs };
      const found = settingsIn(inputs.connection, config);
      const id = inputs.projectId ?? projectsSnapshotId;
      try {
        const filters = [...(recorded.filters ?? []), ...(inputs.filters ?? [])];
        // Nothing says whether the id of a replaced project is secret.
        const areSecret = hasIds(filters) || replaced.length > 0;
        const reader = await readerWith(found, recorded, id, areSecret);
        const { record, fates } = await reader.service.hideArguments(async () => {
          if (replaced.length > 0) checkAccount(reader.service, recorded, replaced);
          await checkLostLists(reader.service, lost);
          return keepRecorded(reader, recorded, inputs, inputs);
        });
        warnOfRemoved(reader, recorded, fates);
        return { inputs: toProperties(record) };
      } catch (error) {
        if (!(error instanceof ProjectServiceError)) throw error;
        // With a property, the engine would print its value.
        const out = wayOut(error, id, error.code === "SETTINGS_INVALID");
        const text = [`${error.code}: ${error.message}`, ...found.warnings, ...out];
        const reason = text.join(" ");
        return { inputs, failures: [{ property: "", reason }] };
      }
    },

    // The program has read the projects. A snapshot never changes the service.
    create: (inputs) =>
      Promise.resolve({ id: inputs.projectId ?? projectsSnapshotId, outs: inputs }),
    update: (_id, _olds, news) => Promise.resolve({ outs: news }),
    diff(id, recorded, inputs) {
      warnOfOtherService(id, recorded.service, inputs.service);
      // The engine compares the other inputs itself.
      const replaces = isSameProject(id, inputs) ? [] : ["projectId"];
      const isUnchanged =
        recorded.account !== inputs.account &&
        isDeepStrictEqual({ ...recorded, account: "" }, { ...inputs, account: "" });
      return Promise.resolve(isUnchanged ? { replaces, changes: false } : { replaces });
    },

    /** For `pulumi refresh`, which does not run the program. */
    async read(id, recorded = {}) {
      const found = settingsIn(recorded.connection, config);
      try {
        const reader = await readerWith(found, recorded, id, hasIds(recorded.filters));
        const { record, fates } = await reader.service.hideArguments(() =>
          readAgain(reader, id, recorded),
        );
        if (record === undefined) return { id: "", props: {} };
        warnOfRemoved(reader, recorded, fates);
        const props = toProperties({
          // The arguments, and what a transformation or a policy has added.
          ...Object.fromEntries(Object.entries(recorded).filter(([key]) => !resultKeys.has(key))),
          ...record,
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

/** Returns the id of a ProjectSnapshot if its name now leads to another project, for another user or service. */
function foreignReplaced(recorded: RecordedProperties, inputs: RecordedProperties): string[] {
  const { projectId, account, name } = recorded;
  if (projectId === undefined || isSameProject(projectId, inputs)) return [];
  return name !== inputs.name || account === inputs.account ? [] : [projectId];
}

/** An id that is not known yet is probably the same. A ProjectsSnapshot has none. */
function isSameProject(id: string, { projectId = id }: RecordedProperties): boolean {
  return projectId === id || projectId === unknownValue;
}

/** @throws ProjectServiceError `SETTINGS_INVALID` */
async function readerWith(
  found: FoundSettings,
  recorded: RecordedProperties,
  id: string,
  areSecret: boolean,
): Promise<Reader> {
  const service = await openService(found, recorded, areSecret);
  return { service, warn: (sentence) => warn(id, sentence) };
}

/** Whether filters have ids. The engine decrypts the filters, and nothing says which values are secret. */
function hasIds(filters: RecordedProperties["filters"]): boolean {
  return filters?.some(({ key }) => key === "projectId") === true;
}

/** Says which projects leave the record, and why. */
function warnOfRemoved(
  { warn, service }: Reader,
  { projects = {} }: RecordedProperties,
  fates: ReadRecord["fates"],
): void {
  const gone = [...fates].filter(([, fate]) => fate === "deleted" || fate === "no longer selected");
  if (gone.length === 0) return;
  const named = service.namesAfterColon(gone.map(([id, fate]) => `${id} (${fate})`));
  const share = displayShare(gone.length, Object.keys(projects).length, "project");
  warn(`${share} will be removed from the record${named}.`);
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
