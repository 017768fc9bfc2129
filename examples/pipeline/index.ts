import * as pulumi from "@pulumi/pulumi";
import * as projectService from "pulumi-project-service";

// In the state from now on: `pulumi preview --expect-no-changes --refresh=false` fails as soon as the
// service says something else than at the last `pulumi up`. With a refresh first it would not.
const name = new pulumi.Config().require("project");
const project = new projectService.ProjectSnapshot(name, { name });

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
export const credentials = project.credentials.databases;
