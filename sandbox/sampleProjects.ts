import { createHash } from "node:crypto";
import type { SandboxEnvironment, SandboxProject } from "./project.js";
import { type Sample, samples } from "./samples.js";

const branches: Readonly<Record<string, string>> = {
  live: "main",
  stage: "release",
  test: "develop",
  dev: "develop",
};

/**
 * Returns twelve projects with invented credentials. All calls return the same values, each call in a
 * new copy.
 */
export function sampleProjects(): SandboxProject[] {
  return samples.map(toProject);
}

function toProject(sample: Sample): SandboxProject {
  const { id, name, group } = sample;
  return {
    _id: id,
    name,
    type: sample.type,
    status: sample.status ?? "DEPLOYED",
    domain: `${name}.example.com`,
    hasCode: true,
    hasDatabases: sample.databases.length > 0,
    hasAssets: sample.assets.length > 0,
    codeRepository: {
      gitHost: "git.example.com",
      group,
      name,
      repositoryId: String(4000 + numberOf(id)),
      gitProvider: "GITLAB",
      importRepository: sample.importedFrom === undefined ? null : { url: sample.importedFrom },
      sshrepoUrl: `git@git.example.com:${group}/${name}.git`,
    },
    projectEnvironments: sample.environments.map((_, order) => toEnvironment(sample, order)),
  };
}

function toEnvironment(sample: Sample, order: number): SandboxEnvironment {
  const environmentId = sample.environments[order] as string;
  const root = `/var/www/${sample.name}/${environmentId}`;
  const deployed = sample.status === undefined;
  const initialized = deployed ? "2026-03-02T09:30:00Z" : null;
  const association = numberOf(sample.id) * 100 + order * 10;
  return {
    environmentId,
    order,
    projectEnvironmentAssets: {
      deploymentTargetGroupId: `tg-${environmentId}-assets`,
      assetGroups: sample.assets.map((title, index) => ({
        id: `${sample.id}-${environmentId}-asset-${index}`,
        path: `${root}/shared/${title}`,
        title,
        associationId: association + index,
        symLinkId: `${sample.id}-${environmentId}-link-${index}`,
      })),
      initialized: sample.assets.length > 0 ? initialized : null,
    },
    projectEnvironmentCode: {
      branch: { name: branches[environmentId] ?? "develop", guarded: environmentId === "live" },
      currentTag: deployed ? `v2.${numberOf(sample.id)}.${order}` : "",
      deploymentTargetGroupId: `tg-${environmentId}-code`,
      webroot: `${root}/current/public`,
      webServer: sample.type === "STATIC" ? "NGINX" : "APACHE",
      initialized,
      importBranchOrTag: sample.importedFrom === undefined ? null : "master",
      latestDeploymentPaths: deployed
        ? [`${root}/releases/20260302093000`, `${root}/releases/20260224141500`]
        : [],
      deploymentsToKeep: environmentId === "live" ? 5 : 3,
    },
    projectEnvironmentDatabases: {
      deploymentTargetGroupId: `tg-${environmentId}-databases`,
      databases: sample.databases.map((database, index) => ({
        name: `${database}_${environmentId}`,
        associationId: association + 5 + index,
        databaseType: "MYSQL",
        username: `${sample.name.slice(0, 6)}_${inventCredential(sample.id, environmentId, database).slice(0, 6)}`,
        password: inventCredential(environmentId, database, sample.id),
        allowedIP: environmentId === "live" ? "203.0.113.7" : null,
      })),
      initialized: deployed,
    },
    symLinks: sample.assets.map((title, index) => ({
      id: `${sample.id}-${environmentId}-link-${index}`,
      to: `${root}/shared/${title}`,
      from: `${root}/current/public/${title}`,
      assetGroupId: `${sample.id}-${environmentId}-asset-${index}`,
    })),
  };
}

function numberOf(id: string): number {
  return Number(id.slice("p-".length));
}

/** Returns the same credential at each start, so that a restarted sandbox shows no drift. */
function inventCredential(...parts: string[]): string {
  return createHash("sha256").update(parts.join("/")).digest("base64").slice(0, 20);
}
