import { createHash } from "node:crypto";

export type Given = Readonly<Record<string, unknown>>;

/** Makes an element of a list, with all its fields. */
export type ElementTemplate = (given: Given, index: number) => object;

const deploymentTime = "2026-03-02T09:30:00Z";

/** Returns a project with every field of the service. A list is the template of its elements. */
export function projectTemplate(name: string, projectId: string): object {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? ["project"];
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
      environmentTemplate({ projectId, slug, environmentId: String(environmentId), order }),
  };
}

interface EnvironmentContext {
  readonly projectId: string;
  /** The name of the project in a form that fits into addresses and paths. */
  readonly slug: string;
  readonly environmentId: string;
  readonly order: number;
}

function environmentTemplate({
  projectId,
  slug,
  environmentId,
  order,
}: EnvironmentContext): object {
  const isLive = environmentId === "live";
  const root = `/var/www/${slug}/${environmentId}`;
  const webroot = `${root}/current/public`;
  const idOf = (kind: string, index: number) => `${projectId}-${environmentId}-${kind}-${index}`;
  const titleOf = (index: number) => (index === 0 ? "media" : `media-${index + 1}`);
  const firstAssociationId = inventNumber(projectId) * 10_000 + order * 1000;
  const prefix = slug.replaceAll("-", "_");
  const databaseTemplate: ElementTemplate = (given, index) => {
    const { name = `${prefix}${index === 0 ? "" : `_${index + 1}`}_${environmentId}` } = given;
    return {
      name,
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
