import { inventCredential, inventUsername } from "./invented.js";
import type { SandboxProject } from "./project.js";
import { sandboxProject } from "./sandboxProject.js";
import { type Sample, samples } from "./samples.js";

/**
 * Returns twelve projects with invented credentials. All calls return the same values, each call in a
 * new copy.
 */
export function sampleProjects(): SandboxProject[] {
  return samples.map(toProject);
}

function toProject(sample: Sample): SandboxProject {
  const { id, name, type, group, status, importedFrom } = sample;
  const number = Number(id.slice("p-".length));
  return sandboxProject({
    _id: id,
    name,
    type,
    status,
    codeRepository: {
      group,
      repositoryId: String(4000 + number),
      importRepository: importedFrom === undefined ? null : { url: importedFrom },
    },
    projectEnvironments: sample.environments.map((environmentId, order) => {
      const association = number * 100 + order * 10;
      return {
        environmentId,
        projectEnvironmentAssets: {
          assetGroups: sample.assets.map((title, index) => ({
            title,
            associationId: association + index,
          })),
        },
        projectEnvironmentCode: {
          currentTag: status === undefined ? `v2.${number}.${order}` : undefined,
          webServer: type === "STATIC" ? "NGINX" : "APACHE",
          importBranchOrTag: importedFrom === undefined ? null : "master",
        },
        projectEnvironmentDatabases: {
          databases: sample.databases.map((database, index) => ({
            name: `${database}_${environmentId}`,
            associationId: association + 5 + index,
            username: inventUsername(name, id, environmentId, database),
            password: inventCredential(environmentId, database, id),
            allowedIP: environmentId === "live" ? "203.0.113.7" : null,
          })),
        },
      };
    }),
  });
}
