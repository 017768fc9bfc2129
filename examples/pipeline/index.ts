import * as pulumi from "@pulumi/pulumi";
import * as projectService from "pulumi-project-service";

const project = projectService.getProjectOutput({ name: new pulumi.Config().require("project") });

export const domain = project.domain;
export const repository = project.codeRepository.sshRepoUrl;

// By environment: what is deployed there, and where. Nothing of it is secret.
export const environments = project.environments.apply((environments) =>
  Object.fromEntries(
    environments.map(({ environmentId, branch, currentTag, webroot }) => [
      environmentId,
      { branch: branch.name, tag: currentTag, webroot },
    ]),
  ),
);

// An output of its own: what holds one secret anywhere is secret as a whole to other stacks.
export const credentials = pulumi.secret(
  project.environments.apply((environments) =>
    Object.fromEntries(
      environments.map(({ environmentId, databases }) => [environmentId, databases]),
    ),
  ),
);
