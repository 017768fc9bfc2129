import * as pulumi from "@pulumi/pulumi";
import { ProjectsSnapshot } from "pulumi-project-service";

interface SiteArgs {
  environments: { environmentId?: string; webroot?: string | undefined }[];
}

/** The resources of a project. */
class Site extends pulumi.ComponentResource {
  constructor(name: string, { environments }: SiteArgs, opts?: pulumi.ComponentResourceOptions) {
    super("fleet:index:Site", name, {}, opts);
    for (const { environmentId, webroot } of environments) {
      // A Stash only stores its input: put your resource here. Pulumi deletes it with its environment. With the
      // option protect, it fails instead.
      new pulumi.Stash(`${name}-${environmentId}`, { input: webroot }, { parent: this });
    }
    this.registerOutputs();
  }
}

// The record says which projects are known. If one is missing in the service without proof, the program fails.
const fleet = new ProjectsSnapshot("fleet", {
  filters: [{ key: "type", values: ["TYPO3"] }],
  fields: ["environments.webroot"],
});

export const sites = fleet.projects.apply((projects) => {
  for (const { projectId, environments = [] } of Object.values(projects)) {
    new Site(projectId, { environments });
  }
  return Object.keys(projects).length;
});
