import * as pulumi from "@pulumi/pulumi";
import { databaseUrl, getDatabaseOutput, getEnvironmentOutput } from "pulumi-project-service";
import { EnvFile } from "./envFile";

const config = new pulumi.Config();
const place = {
  name: config.require("project"),
  environmentId: config.get("environment") ?? "live",
};
const database = getDatabaseOutput({ ...place, databaseName: config.get("database") });

// Secret. A password can contain characters with a meaning in URLs, so databaseUrl encodes each part.
const url = databaseUrl(database, { protocol: "mysql", host: config.get("host") ?? "localhost" });

// The provider receives the URL in clear text. Pulumi encrypts the input `variables` in the state,
// because it contains a secret, and every output with the same name.
const file = new EnvFile(
  "env",
  { path: config.require("path"), variables: { DATABASE_URL: url } },
  // The provider makes the output `content` from the secret. Pulumi cannot know that: without this option
  // the password is in the state in clear text.
  { additionalSecretOutputs: ["content"] },
);

export const webroot = getEnvironmentOutput(place).webroot; // plain
export const path = file.path; // plain
export const content = file.content; // [secret]
