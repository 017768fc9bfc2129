import { createHash } from "node:crypto";
import type { SandboxEnvironment, SandboxProject } from "./projects.js";

/** Some fields of a value, at every depth. The elements of a list may be incomplete too. */
type DeepPartial<T> = T extends readonly (infer E)[]
  ? readonly DeepPartial<E>[]
  : T extends object
    ? { readonly [K in keyof T]?: DeepPartial<T[K]> | undefined }
    : T;

/** Some fields of a project in the JSON form of the service, at every depth. Only `name` is required. */
export type SandboxProjectFields = DeepPartial<SandboxProject> & { readonly name: string };

/**
 * Builds a complete project for a sandbox: a template with the fields that a test cares about.
 *
 * Objects merge, and a given list replaces the list of the template. Each element of
 * `projectEnvironments`, `databases`, `assetGroups` and `symLinks` is merged into the template of its
 * kind. The template is a deployed project with one environment `live`, one database, one asset group and
 * one symlink. Its ids, names and paths follow from the name of the project, and so do its invented
 * credentials: equal arguments give equal projects.
 *
 * @param overrides the name, and any other fields in the JSON form of the service. `undefined` stands for
 *   the template.
 * @throws TypeError for a field that the service does not have, and for an object or a list that is none.
 *   The message names the place.
 *
 * @example
 * const shop = sandboxProject({
 *   name: "shop",
 *   projectEnvironments: [{ projectEnvironmentCode: { webroot: "/srv/shop" } }],
 * });
 * const sandbox = await startSandbox({ projects: [shop] });
 */
export function sandboxProject(overrides: SandboxProjectFields): SandboxProject {
  const { name, _id } = Object(overrides) as Partial<SandboxProjectFields>;
  if (typeof name !== "string" || name === "") {
    throw new TypeError('sandboxProject needs a name, such as sandboxProject({ name: "shop" }).');
  }
  const template = projectTemplate(name, _id ?? `p-${name}`);
  return merge(template, "project", overrides) as SandboxProject;
}

type Given = Readonly<Record<string, unknown>>;

type ElementTemplate<E = object> = (given: Given, index: number) => E;

/** Every field of a value. A list of objects is the template of its elements. */
type Template<T> = T extends (infer E extends object)[]
  ? ElementTemplate<Template<E>>
  : T extends object
    ? { [K in keyof T]: Template<T[K]> }
    : T;

function merge(template: object, place: string, given: unknown): object {
  if (!isJsonObject(given)) throw new TypeError(`${place} must be an object.`);
  const unknownKey = Object.keys(given).find((key) => !Object.hasOwn(template, key));
  if (unknownKey !== undefined) {
    throw new TypeError(
      `${place}.${unknownKey} is not a field of the service. Use one of these: ${Object.keys(template).join(", ")}.`,
    );
  }
  const members = Object.entries(template).map(([key, value]: [string, unknown]) => {
    const innerPlace = `${place}.${key}`;
    if (typeof value === "function") {
      return [key, mergeList(value as ElementTemplate, innerPlace, given[key])];
    }
    const own = given[key];
    if (isJsonObject(value)) return [key, merge(value, innerPlace, own === undefined ? {} : own)];
    return [key, own === undefined ? value : own];
  });
  return Object.fromEntries(members) as object;
}

function mergeList(template: ElementTemplate, place: string, given: unknown = [{}]): object[] {
  if (!Array.isArray(given)) throw new TypeError(`${place} must be a list.`);
  return given.map((element: unknown, index) =>
    merge(template(isJsonObject(element) ? element : {}, index), `${place}[${index}]`, element),
  );
}

function isJsonObject(value: unknown): value is Given {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const deploymentTime = "2026-03-02T09:30:00Z";

function projectTemplate(name: string, projectId: string): Template<SandboxProject> {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? ["project"];
  /** The name in a form that fits into addresses and paths. */
  const slug = words.join("-");
  return {
    _id: projectId,
    name,
    type: "SYMFONY",
    status: "DEPLOYED",
    domain: `${slug}.example.com`,
    hasCode: true,
    hasDatabases: true,
    hasAssets: true,
    codeRepository: {
      gitHost: "git.example.com",
      group: "web",
      name: slug,
      repositoryId: String(inventNumber(projectId)),
      gitProvider: "GITLAB",
      sshrepoUrl: `git@git.example.com:web/${slug}.git`,
      importRepository: null,
    },
    projectEnvironments: ({ environmentId = "live" }: Given, order: number) =>
      environmentTemplate(projectId, slug, String(environmentId), order),
  };
}

function environmentTemplate(
  projectId: string,
  slug: string,
  environmentId: string,
  order: number,
): Template<SandboxEnvironment> {
  const isLive = environmentId === "live";
  const root = `/var/www/${slug}/${environmentId}`;
  const webroot = `${root}/current/public`;
  const idOf = (kind: string, index: number) => `${projectId}-${environmentId}-${kind}-${index}`;
  const titleOf = (index: number) => (index === 0 ? "media" : `media-${index + 1}`);
  const firstAssociationId = inventNumber(projectId) * 10_000 + order * 1000;
  const prefix = slug.replaceAll("-", "_");
  const databaseTemplate = (given: Given, index: number) => {
    const { name = `${prefix}${index === 0 ? "" : `_${index + 1}`}_${environmentId}` } = given;
    return {
      name: String(name),
      associationId: firstAssociationId + 500 + index,
      databaseType: "MYSQL",
      allowedIP: "203.0.113.7",
      username: `${prefix.slice(0, 6)}_${inventText(projectId, environmentId, name).slice(0, 6)}`,
      password: inventText(environmentId, name, projectId),
    };
  };
  return {
    environmentId,
    order,
    projectEnvironmentCode: {
      branch: { name: isLive ? "main" : "develop", guarded: isLive },
      currentTag: "v1.0.0",
      webroot,
      webServer: "APACHE",
      importBranchOrTag: null,
      latestDeploymentPaths: ["20260302093000", "20260224141500"].map(
        (deployment) => `${root}/releases/${deployment}`,
      ),
      deploymentsToKeep: isLive ? 5 : 3,
      deploymentTargetGroupId: `tg-${environmentId}-code`,
      initialized: deploymentTime,
    },
    projectEnvironmentAssets: {
      assetGroups: (_given: Given, index: number) => ({
        id: idOf("asset", index),
        path: `${root}/shared/${titleOf(index)}`,
        title: titleOf(index),
        associationId: firstAssociationId + index,
        symLinkId: idOf("link", index),
      }),
      deploymentTargetGroupId: `tg-${environmentId}-assets`,
      initialized: deploymentTime,
    },
    projectEnvironmentDatabases: {
      databases: databaseTemplate,
      deploymentTargetGroupId: `tg-${environmentId}-databases`,
      initialized: true,
    },
    symLinks: (_given: Given, index: number) => ({
      id: idOf("link", index),
      to: `${root}/shared/${titleOf(index)}`,
      from: `${webroot}/${titleOf(index)}`,
      assetGroupId: idOf("asset", index),
    }),
  };
}

/** Returns the same text for the same parts, so that a restarted sandbox shows no drift. */
function inventText(...parts: unknown[]): string {
  return createHash("sha256").update(parts.join("/")).digest("base64").slice(0, 20);
}

/** Returns a number from 1000 to 9999, always the same one for a text. */
function inventNumber(text: string): number {
  return 1000 + (createHash("sha256").update(text).digest().readUInt32BE() % 9000);
}
