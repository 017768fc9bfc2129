import { createHash } from "node:crypto";
import type { SandboxEnvironment, SandboxProject } from "./project.js";

interface Sample {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly group: string;
  readonly environments: readonly string[];
  readonly databases: readonly string[];
  readonly assets: readonly string[];
  readonly status?: string;
  /** Address of the repository that this one was imported from. */
  readonly importedFrom?: string;
}

const samples: readonly Sample[] = [
  {
    id: "p-1",
    name: "shop",
    type: "MAGENTO",
    group: "retail",
    environments: ["live", "stage", "test"],
    databases: ["shop", "shop_search"],
    assets: ["media", "import"],
    importedFrom: "https://deploy:t0k3n-of-the-old-shop@git.example.net/legacy/shop.git",
  },
  {
    id: "p-2",
    name: "blog",
    type: "WORDPRESS",
    group: "marketing",
    environments: ["live", "stage"],
    databases: ["wordpress"],
    assets: ["uploads"],
  },
  {
    id: "p-3",
    name: "intranet",
    type: "TYPO3",
    group: "internal",
    environments: ["live", "stage", "test", "dev"],
    databases: ["typo3"],
    assets: ["fileadmin", "uploads"],
  },
  {
    id: "p-4",
    name: "careers",
    type: "TYPO3",
    group: "marketing",
    environments: ["live", "stage"],
    databases: ["careers"],
    assets: ["fileadmin"],
  },
  {
    id: "p-5",
    name: "booking",
    type: "SYMFONY",
    group: "travel",
    environments: ["live", "stage", "test"],
    databases: ["booking", "sessions", "reports"],
    assets: ["vouchers"],
  },
  {
    id: "p-6",
    name: "newsletter",
    type: "SYMFONY",
    group: "marketing",
    environments: ["live", "test"],
    databases: ["newsletter"],
    assets: [],
  },
  {
    id: "p-7",
    name: "docs",
    type: "STATIC",
    group: "internal",
    environments: ["live", "stage"],
    databases: [],
    assets: ["downloads"],
  },
  {
    id: "p-8",
    name: "partner-portal",
    type: "LARAVEL",
    group: "retail",
    environments: ["live", "stage", "dev"],
    databases: ["portal"],
    assets: ["contracts"],
    importedFrom: "git@git.example.net:agency/portal.git",
  },
  {
    id: "p-9",
    name: "wiki",
    type: "MEDIAWIKI",
    group: "internal",
    environments: ["live", "stage"],
    databases: ["wiki"],
    assets: ["images"],
  },
  {
    id: "p-10",
    name: "status-page",
    type: "STATIC",
    group: "internal",
    environments: ["live", "stage"],
    databases: [],
    assets: [],
  },
  {
    id: "p-11",
    name: "tickets",
    type: "LARAVEL",
    group: "travel",
    environments: ["live", "stage", "test"],
    databases: ["tickets"],
    assets: ["attachments"],
  },
  {
    id: "p-12",
    name: "relaunch",
    type: "SHOPWARE",
    group: "retail",
    environments: ["live", "stage"],
    databases: ["relaunch"],
    assets: ["media"],
    status: "AWAITING_INITIAL_DEPLOYMENT",
  },
];

const branches: Readonly<Record<string, string>> = {
  live: "main",
  stage: "release",
  test: "develop",
  dev: "develop",
};

/** A dozen projects with invented credentials, the same ones at each call; every call gives its own copy. */
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
      repositoryId: String(4000 + number(id)),
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
  const association = number(sample.id) * 100 + order * 10;
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
      currentTag: deployed ? `v2.${number(sample.id)}.${order}` : "",
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
        username: `${sample.name.slice(0, 6)}_${invented(sample.id, environmentId, database).slice(0, 6)}`,
        password: invented(environmentId, database, sample.id),
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

function number(id: string): number {
  return Number(id.slice("p-".length));
}

/** Looks like a credential and is always the same, so that a restarted sandbox shows no drift. */
function invented(...parts: string[]): string {
  return createHash("sha256").update(parts.join("/")).digest("base64").slice(0, 20);
}
