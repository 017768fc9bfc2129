import * as pulumi from "@pulumi/pulumi";
import * as projectService from "pulumi-project-service";

// Set the project with `pulumi config set projectId <id>`. Default: the project with the lowest id.
const projectId =
  new pulumi.Config().get("projectId") ??
  projectService
    .getProjectsOutput()
    .projects.apply((projects) => projects.map((project) => project.projectId).sort()[0]);

const project = projectService.getProjectOutput({ projectId });

// Pass the values to any resource. Secrets stay secret in the state of that resource. A Stash keeps its
// first output; its input follows later changes, as the inputs of other resources do.
new pulumi.Stash("deploy-target", {
  input: { repository: project.codeRepository.sshRepoUrl, environments: project.environments },
});

export const name = project.name;
export const repository = project.codeRepository.sshRepoUrl;
export const environments = project.environments;
