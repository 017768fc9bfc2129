import * as pulumi from "@pulumi/pulumi";
import { getDatabaseOutput, getEnvironmentOutput } from "pulumi-project-service";
import { Command } from "./command";

const config = new pulumi.Config();
const live = { name: config.require("project"), environmentId: "live" };
const database = getDatabaseOutput({ ...live, databaseName: config.get("database") });

export const tag = getEnvironmentOutput(live).currentTag;

// Another tag in the service replaces the deployment.
const deployment = new Command("deploy", {
  create: config.require("deploy"),
  environment: { TAG: tag },
  triggers: [tag],
});

// Another password restarts the application. As an input, this trigger stays secret. Pulumi's option
// `replacementTrigger` takes no secrets: `pulumi preview --json` of CLI 3.220 crashes, and so does
// `pulumi-project-service drift`.
new Command(
  "restart",
  { create: config.require("restart"), triggers: [database.password] },
  { dependsOn: deployment },
);
