/*
 * The dynamic provider of both resources. The engine starts it in a separate process, from the text in
 * `serializedProvider`. The state of every snapshot contains that text, so every later version of this package
 * must keep this module and its export.
 */
import type * as pulumi from "@pulumi/pulumi";
import { isDeepStrictEqual } from "node:util";
import { displayText } from "../errors/displayText.js";
import { ProjectServiceError } from "../errors/projectServiceError.js";
import { fieldsVersion } from "../model/projectFields.js";
import type { ProjectService } from "../reading/projectService.js";
import { defaultNamespace, findInConfig } from "../settings/foundSettings.js";
import { resolveSettings } from "../settings/resolveSettings.js";
import { settingKeys } from "../settings/settingsTable.js";
import { secretSignature, signatureKey, unknownValue } from "../wire/pulumiSafeJson.js";
import { acceptRemovals, applyAbsence, findMissing, type NewRecord } from "./absence.js";
import { inaccessibleText, type RecordedProperties } from "./record.js";
import { reread } from "./reread.js";
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
      const id = recorded.projectId ?? inputs.projectId ?? projectsSnapshotId;
      try {
        if (findMissing(recorded, inputs) === undefined) return { inputs };
        const record = await makeRecord(id, recorded, inputs, config, (service) =>
          applyAbsence(service, recorded, inputs),
        );
        return { inputs: toProperties(record) };
      } catch (error) {
        if (!(error instanceof ProjectServiceError)) throw error;
        // With a property, the engine would print its value.
        return { inputs, failures: [{ property: "", reason: `${error.code}: ${explain(error)}` }] };
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
      const isSameExceptAccount = isDeepStrictEqual(
        { ...recorded, account: "" },
        { ...inputs, account: "" },
      );
      // The engine compares the inputs itself.
      return Promise.resolve(isSameExceptAccount ? { replaces, changes: false } : { replaces });
    },

    /** For `pulumi refresh`, which does not run the program. */
    async read(id, recorded = {}) {
      try {
        const record = await makeRecord(id, recorded, recorded, config, (service) =>
          reread(service, recorded),
        );
        const isDeleted = record.projects === undefined && record.projectId === undefined;
        if (isDeleted) return { id: "", props: {} };
        const props = toProperties({ ...record, fieldsVersion });
        return { id, props, inputs: { ...props } };
      } catch (error) {
        if (!(error instanceof ProjectServiceError)) throw error;
        const text = `${explain(error)} A refresh uses the stack config in the state. If the config or the user has changed, run pulumi up --refresh=false. To delete the stack without the service, run pulumi destroy --refresh=false.`;
        // Pulumi prints the error of a dynamic provider as `${error}: ${error.stack}`, followed by its message:
        // https://github.com/pulumi/pulumi/blob/master/sdk/nodejs/cmd/dynamic-provider/index.ts
        const short = { stack: subjectOf(id), toString: () => error.code };
        throw Object.assign(new Error(text), short);
      }
    },
  };
}

/** Makes a new record of a snapshot as the settings of its inputs say. Says what leaves it, and what cannot be read. */
async function makeRecord(
  id: string,
  recorded: RecordedProperties,
  inputs: RecordedProperties,
  config: pulumi.dynamic.Config | undefined,
  make: (service: ProjectService) => Promise<NewRecord>,
): Promise<RecordedProperties> {
  const { getProjectService } = await import("../reading/projectService.js");
  const settings = resolveSettings(settingsIn(inputs.connection, config));
  const areSecret = [recorded, inputs].some((each) => each.hasSecretArguments === true);
  const service = getProjectService(settings).forArguments(areSecret);
  // The engine shows what a provider writes to standard error.
  const warn = (sentence: string) => console.error(`warning: ${subjectOf(id)}: ${sentence}`);
  const type = id === projectsSnapshotId ? "ProjectsSnapshot" : "ProjectSnapshot";
  return service.hideArguments(type, async () => {
    const made = await make(service);
    acceptRemovals(recorded, made, (share, names) =>
      warn(`${share}${service.namesAfterColon(names)}.`),
    );
    const { inaccessible = [] } = made.record;
    if (inaccessible.length > 0) warn(inaccessibleText(inaccessible, service));
    return made.record;
  });
}

function subjectOf(id: string): string {
  return id === projectsSnapshotId ? "ProjectsSnapshot" : `project ${displayText(id)}`;
}

/** Says what is certain, and what failed. The settings can differ from those of the program. */
function explain({ code, message }: ProjectServiceError): string {
  const text = `The record is unchanged, so nothing was deleted because of it. ${message}`;
  if (code !== "SETTINGS_INVALID") return text;
  return `${text}\nThe provider of a snapshot has the stack config and the variables of the pulumi command, but none that the program sets.`;
}

/** Returns properties as the program sends them: without `undefined`, and the credentials for the engine to encrypt. */
function toProperties<P extends RecordedProperties>({ credentials, ...others }: P): P {
  const secret = credentials && { [signatureKey]: secretSignature, value: credentials };
  return JSON.parse(JSON.stringify({ ...others, credentials: secret })) as P;
}

/** Nothing says which values the config encrypts. An address is the only one that a message may show. */
function settingsIn(namespace = defaultNamespace, config: pulumi.dynamic.Config | undefined) {
  const values = settingKeys.flatMap((key) => {
    const fullKey = `${namespace}:${key}`;
    const value = config?.get(fullKey);
    return value === undefined ? [] : [[fullKey, { value, secret: !key.endsWith("Url") }] as const];
  });
  return findInConfig(namespace, Object.fromEntries(values));
}
