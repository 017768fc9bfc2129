import * as pulumi from "@pulumi/pulumi";
import * as projectService from "pulumi-project-service";
import { SecretFile } from "./secretFile";

const config = new pulumi.Config();
const environment = projectService.getEnvironmentOutput({
  name: config.require("project"),
  environmentId: config.get("environment") ?? "live",
});
const database = environment.databases[0];

// Made of secrets, hence secret. A password may hold what has a meaning in an address.
const username = database.username.apply(encodeURIComponent);
const password = database.password.apply(encodeURIComponent);
const databaseUrl = pulumi.interpolate`mysql://${username}:${password}@localhost/${database.name}`;

// A resource of the engine's own. Its input and output are encrypted in the state.
const settings = new pulumi.Stash("settings", {
  input: { webroot: environment.webroot, databaseUrl },
});

// One with a provider: that gets the secret in clear, and the state keeps it encrypted all the same.
const file = new SecretFile("env", {
  path: config.get("path") ?? ".env",
  content: pulumi.interpolate`DATABASE_URL=${databaseUrl}\n`,
});

export const webroot = environment.webroot; // plain
export const path = file.path; // plain
export const stashed = settings.output; // [secret]
