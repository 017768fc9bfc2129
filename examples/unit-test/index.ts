import * as pulumi from "@pulumi/pulumi";
import { AppSettings } from "./appSettings";

const config = new pulumi.Config();
const settings = new AppSettings("app", {
  project: config.require("project"),
  environmentId: config.get("environment") ?? "live",
  databaseHost: config.get("host") ?? "localhost",
});

export const folder = settings.folder; // plain
export const databaseUrl = settings.databaseUrl; // [secret]
