import * as pulumi from "@pulumi/pulumi";
import * as projectService from "pulumi-project-service";

// Records the project in the state. `pulumi preview --expect-no-changes --refresh=false` then fails if
// the project has changed in the service since the last `pulumi up`. A refresh would record the change
// first, and the preview would find none.
const name = new pulumi.Config().require("project");
const project = new projectService.ProjectSnapshot(name, { name });

export const domain = project.domain;
export const repository = project.codeRepository.sshRepoUrl;

// The deployed tag, its branch and its folder, by environment. None of it is secret.
export const environments = project.environments.apply((environments) =>
  Object.fromEntries(
    environments.map(({ environmentId, branch, currentTag, webroot }) => [
      environmentId,
      { branch: branch.name, tag: currentTag, webroot },
    ]),
  ),
);

// A separate output: if an output contains a secret anywhere, all of it is secret in other stacks.
export const credentials = project.credentials.databases;
