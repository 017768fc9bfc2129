import * as pulumi from "@pulumi/pulumi";
import * as projectService from "pulumi-project-service";

// Which project: `pulumi config set projectId <id>`, or else the first one that the user sees.
const projectId =
  new pulumi.Config().get("projectId") ?? projectService.getProjectsOutput().projects[0].projectId;

const project = projectService.getProjectOutput({ projectId });
const live = project.environments[0];

// Whatever takes Inputs takes these. Secrets stay secret in the state of the other resource.
new pulumi.Stash("deploy-target", {
  input: {
    webroot: live.webroot,
    branch: live.branch.name,
    database: live.databases[0],
  },
});

export const name = project.name;
export const repository = project.codeRepository.sshRepoUrl;
export const environments = project.environments;
