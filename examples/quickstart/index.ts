import * as pulumi from "@pulumi/pulumi";
import * as projectService from "pulumi-project-service";

// Set the project with `pulumi config set projectId <id>`. Default: the first project of the list.
const projectId =
  new pulumi.Config().get("projectId") ?? projectService.getProjectsOutput().projects[0].projectId;

const project = projectService.getProjectOutput({ projectId });
const live = project.environments[0];

// Pass the values to any resource. Secrets stay secret in the state of that resource.
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
