import * as pulumi from "@pulumi/pulumi";
import { ProjectsSnapshot } from "pulumi-project-service";

interface SiteArgs {
  environments: { environmentId: string; webroot?: string | undefined }[];
}

/** The resources of a project. */
class Site extends pulumi.ComponentResource {
  constructor(name: string, { environments }: SiteArgs, opts?: pulumi.ComponentResourceOptions) {
    super("fleet:index:Site", name, {}, opts);
    for (const { environmentId, webroot } of environments) {
      // A Stash only stores its input: put your resource here. Without the option protect, Pulumi deletes it with its
      // environment or its project. With it, the update fails until you run
      // pulumi state unprotect. If you removed the option here instead, no resource would be protected.
      const options = { parent: this, protect: true };
      new pulumi.Stash(`${name}-${environmentId}`, { input: webroot }, options);
    }
    this.registerOutputs();
  }
}

// The record says which projects are known. One that cannot be read keeps its record and its resources.
const fleet = new ProjectsSnapshot("fleet", {
  filters: [{ key: "type", values: ["TYPO3"] }],
  fields: ["environments.webroot"],
  onInaccessible: "keep",
});

export const sites = fleet.projects.apply((projects) => {
  for (const { projectId, environments = [] } of Object.values(projects)) {
    new Site(projectId, { environments });
  }
  return Object.keys(projects).length;
});
