import * as pulumi from "@pulumi/pulumi";

/** What examples/pipeline exports. */
type Environments = Record<string, { branch: string; tag: string; webroot: string }>;
type Credentials = Record<string, { name: string; username: string; password: string }[]>;

const config = new pulumi.Config();
// For example `organization/pipeline/production`.
const hosting = new pulumi.StackReference(config.require("hosting"));

// Output by output: `hosting.outputs` is secret as a whole, as one of them is.
const environments = hosting.requireOutput("environments") as pulumi.Output<Environments>;
const credentials = hosting.requireOutput("credentials") as pulumi.Output<Credentials>;

const live = environments.apply(({ live }) => live);
const database = credentials.apply(({ live }) => live[0]);

new pulumi.Stash("app", {
  input: { webroot: live.webroot, user: database.username, password: database.password },
});

export const webroot = live.webroot; // plain
export const tag = live.tag; // plain
export const password = database.password; // [secret]
