import * as pulumi from "@pulumi/pulumi";
import { readPipelineOutputs } from "pulumi-project-service";

const config = new pulumi.Config();
// The name of a stack of examples/pipeline, for example `organization/pipeline/production`.
const hosting = new pulumi.StackReference(config.require("hosting"));
const databaseName = config.require("database");

const { project, credentials } = readPipelineOutputs(hosting);

const live = project.apply(({ environments }) => {
  const found = environments.find(({ environmentId }) => environmentId === "live");
  if (found === undefined) throw new pulumi.RunError("The project has no environment live.");
  return found;
});
const database = credentials.apply(({ databases }) => {
  const found = databases["live"]?.find(({ name }) => name === databaseName);
  if (found === undefined) throw new pulumi.RunError(`live has no database ${databaseName}.`);
  return found;
});

// A Stash stands for your own resource. Its output never changes. Its input changes at each update, as
// the inputs of other resources do.
new pulumi.Stash("app", {
  input: { webroot: live.webroot, user: database.username, password: database.password },
});

export const webroot = live.webroot; // plain
export const tag = live.currentTag; // plain
export const password = database.password; // [secret]
