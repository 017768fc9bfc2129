import { local } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import { databaseUrl, getDatabaseOutput, getEnvironmentOutput } from "pulumi-project-service";

const config = new pulumi.Config();
const live = { name: config.require("project"), environmentId: "live" };
const database = getDatabaseOutput({ ...live, databaseName: config.get("database") });
const address = { protocol: "mysql", host: config.get("host") ?? "localhost" };

export const tag = getEnvironmentOutput(live).currentTag;

// Another tag in the service replaces the deployment.
const deployment = new local.Command("deploy", {
  create: config.require("deploy"),
  environment: { TAG: tag },
  triggers: [tag],
});

// Another password restarts the application. As inputs, trigger and URL stay secret. Do not use Pulumi's option
// `replacementTrigger` for a secret: `pulumi preview --json` of CLI 3.220 crashes with it.
new local.Command(
  "restart",
  {
    create: config.require("restart"),
    environment: { DATABASE_URL: databaseUrl(database, address) },
    triggers: [database.password],
    // Pulumi prints what the command prints, which can contain the password. If the command fails, Pulumi prints it
    // despite this option.
    logging: local.Logging.None,
  },
  {
    dependsOn: deployment,
    // What the command prints is also an output of the resource. Pulumi cannot know whether the password is in it:
    // without this option, the state has it in clear text.
    additionalSecretOutputs: ["stdout", "stderr"],
  },
);
