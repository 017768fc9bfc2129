import * as pulumi from "@pulumi/pulumi";
import { pipelineOutputs, ProjectSnapshot } from "pulumi-project-service";

// Records the project in the state. `npx --no pulumi-project-service drift` then says what has changed in the service
// since the last `pulumi up` or `pulumi refresh`. A refresh does not change the outputs below: run `pulumi up`
// before a deployment.
const name = new pulumi.Config().require("project");
const snapshot = new ProjectSnapshot(name, { name, includeCredentials: true });

// The project in clear, and its credentials as one secret. Deploy jobs read them with
// `pulumi-project-service run`, and other stacks with `readPipelineOutputs`.
export const { project, credentials } = pipelineOutputs(snapshot);
