/*
 * The dynamic provider of both resources. The engine starts it in a separate process, from the text in
 * `serializedProvider`. The state of every snapshot contains that text, so every later version of this package
 * must keep this module and its exports.
 */
import type * as pulumi from "@pulumi/pulumi";
import { displayText } from "../errors/displayText.js";
import { ProjectServiceError } from "../errors/projectServiceError.js";
import { fieldsVersion } from "../model/projectFields.js";
import type { ProjectService } from "../service/projectService.js";
import { settingKeys } from "../settings/connectionSettings.js";
import { resolveSettings } from "../settings/resolveSettings.js";
import { defaultNamespace, findInConfig, type FoundSettings } from "../settings/foundSettings.js";
import { secretSignature, signatureKey, unknownValue } from "../wire/pulumiSafeJson.js";
import {
  type ReadAgain,
  readProjectAgain,
  readProjectsAgain,
  type RecordedProperties,
} from "./deletedProjects.js";
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

    // The program has read the projects. A snapshot never changes the service.
    create: (inputs) =>
      Promise.resolve({ id: inputs.projectId ?? projectsSnapshotId, outs: inputs }),
    update: (_id, _olds, news) => Promise.resolve({ outs: news }),
    diff(id, { service: recorded }, { projectId = id, service }) {
      warnOfOtherService(id, recorded, service);
      // The engine compares the other inputs itself. An id that is not known yet is probably the same.
      const isSame = projectId === id || projectId === unknownValue;
      return Promise.resolve({ replaces: isSame ? [] : ["projectId"] });
    },

    /** For `pulumi refresh`, which does not run the program. */
    async read(id, recorded = {}) {
      const { service: address, connection } = recorded;
      const found = settingsIn(connection, config);
      try {
        const { getProjectService } = await import("../service/projectService.js");
        const service = getProjectService(resolveSettings(found));
        checkAddress(service, address);
        // Versions before did not record the default.
        const { includeCredentials = recorded.credentials !== undefined } = recorded;
        const read = await readAgain(service, id, { ...recorded, includeCredentials });
        if (read === undefined) return { id: "", props: {} };
        const { credentials, ...content } = read;
        const props = {
          // The arguments, and what a transformation or a policy has added.
          ...Object.fromEntries(Object.entries(recorded).filter(([key]) => !resultKeys.has(key))),
          ...content,
          includeCredentials,
          fieldsVersion,
          // The engine encrypts a property in this form.
          credentials: credentials && { [signatureKey]: secretSignature, value: credentials },
        };
        // As the program sends the properties: without `undefined`.
        const sent = JSON.parse(JSON.stringify(props)) as RecordedProperties;
        return { id, props: sent, inputs: { ...sent } };
      } catch (error) {
        if (!(error instanceof ProjectServiceError)) throw error;
        throw printable(error, subjectOf(id), found.warnings);
      }
    },
  };
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

/** Another service may have none of the projects, so that each of them would look deleted. */
function checkAddress({ address }: ProjectService, recorded = "an unknown address"): void {
  if (recorded === address) return;
  throw new ProjectServiceError(
    "SETTINGS_INVALID",
    `The service at ${displayText(recorded, 200)} was recorded, but the settings name ${displayText(address, 200)}. The state stays as it is.`,
  );
}

/** The engine shows what a provider writes to standard error. */
function warnOfOtherService(id: string, recorded = unknownValue, named = unknownValue): void {
  if (recorded === named || [recorded, named].includes(unknownValue)) return;
  console.error(
    `warning: ${subjectOf(id)}: recorded from the service at ${displayText(recorded, 200)}, now read from ${displayText(named, 200)}. If this is a mistake, check baseUrl and connection.`,
  );
}

function subjectOf(id: string): string {
  return id === projectsSnapshotId ? "projects" : `project ${displayText(id)}`;
}

/** Pulumi gives a provider the config that it keeps in the state. */
const advice =
  "A refresh uses the settings of the last command that ran the program. If they have changed since, run pulumi up --refresh=false, or pulumi refresh --run-program. pulumi destroy --refresh=false does not read the service.";

/**
 * Pulumi prints an error of a dynamic provider as `${error}: ${error.stack}`, followed by its message.
 *
 * @param warnings about the settings, which may explain the error.
 */
function printable(
  { code, message }: ProjectServiceError,
  subject: string,
  warnings: readonly string[],
): Error {
  const text = [message, ...warnings, advice].join(message.includes("\n") ? "\n" : " ");
  return Object.assign(new Error(text), { stack: subject, toString: () => code });
}
