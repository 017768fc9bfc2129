import * as pulumi from "@pulumi/pulumi";
import { databaseUrl, getDatabaseOutput, ProjectSnapshot } from "pulumi-project-service";

const config = new pulumi.Config();
const name = config.require("project");

// Records the project without credentials. `pulumi preview` shows what changed in the service.
const project = new ProjectSnapshot(name, { name });

const database = getDatabaseOutput({
  name,
  environmentId: config.require("environment"),
  databaseName: config.get("database"),
});

export const domain = project.domain;

// Secret. Replace the host by your database server: the service does not know it.
export const url = databaseUrl(database, { protocol: "mysql", host: "db.example.com" });
