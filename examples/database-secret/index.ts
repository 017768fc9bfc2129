import * as pulumi from "@pulumi/pulumi";
import * as projectService from "pulumi-project-service";
import { SecretFile } from "./secretFile";

const config = new pulumi.Config();
const environment = projectService.getEnvironmentOutput({
  name: config.require("project"),
  environmentId: config.get("environment") ?? "live",
});
const database = environment.databases[0];

// Secret, because it is built from secrets. A password can contain characters with a meaning in URLs.
const username = database.username.apply(encodeURIComponent);
const password = database.password.apply(encodeURIComponent);
const databaseUrl = pulumi.interpolate`mysql://${username}:${password}@localhost/${database.name}`;

// A resource of the engine itself. Pulumi encrypts its input and output in the state.
const settings = new pulumi.Stash("settings", {
  input: { webroot: environment.webroot, databaseUrl },
});

// A resource with a provider. The provider receives the secret in plain text. In the state it is
// encrypted too.
const file = new SecretFile("env", {
  path: config.get("path") ?? ".env",
  content: pulumi.interpolate`DATABASE_URL=${databaseUrl}\n`,
});

export const webroot = environment.webroot; // plain
export const path = file.path; // plain
export const stashed = settings.output; // [secret]
