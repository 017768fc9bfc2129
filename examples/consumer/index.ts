import * as pulumi from "@pulumi/pulumi";

// The types of the outputs of examples/pipeline.
type Environments = Record<string, { branch: string; tag: string; webroot: string }>;
type Credentials = Record<string, { name: string; username: string; password: string }[]>;

const config = new pulumi.Config();
// The name of that stack, for example `organization/pipeline/production`.
const hosting = new pulumi.StackReference(config.require("hosting"));
const databaseName = config.require("database");

// Read single outputs. `hosting.outputs` would be secret as a whole, because one output is secret.
const environments = hosting.requireOutput("environments") as pulumi.Output<Environments>;
const credentials = hosting.requireOutput("credentials") as pulumi.Output<Credentials>;

const live = environments.apply(({ live }) => live);
const database = credentials.apply(({ live }) => {
  const found = live.find(({ name }) => name === databaseName);
  if (found === undefined) throw new pulumi.RunError(`live has no database ${databaseName}.`);
  return found;
});

// A Stash stands for your own resource. It keeps its first output; its input follows later changes, as
// the inputs of other resources do.
new pulumi.Stash("app", {
  input: { webroot: live.webroot, user: database.username, password: database.password },
});

export const webroot = live.webroot; // plain
export const tag = live.tag; // plain
export const password = database.password; // [secret]
