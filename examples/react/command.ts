import { execFileSync } from "node:child_process";
import * as pulumi from "@pulumi/pulumi";

// This file stands for `local.Command` of @pulumi/command, which takes the same arguments.

interface Inputs {
  readonly create: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs the command. If it fails, the state keeps the old triggers: the next `pulumi up` runs it again. */
function run(inputs: Inputs): Inputs {
  const env = { ...process.env, ...inputs.environment };
  // Pulumi shows what the command prints.
  execFileSync("sh", ["-c", inputs.create], { env, stdio: "inherit" });
  return inputs;
}

const provider: pulumi.dynamic.ResourceProvider<Inputs, Inputs> = {
  create: (inputs) => Promise.resolve({ id: inputs.create, outs: run(inputs) }),
  update: (_id, _old, inputs) => Promise.resolve({ outs: run(inputs) }),
};

interface CommandArgs {
  create: pulumi.Input<string>;
  environment?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** A change of one of these values replaces the resource, and so runs the command again. */
  triggers: pulumi.Input<string>[];
}

/** A command that runs when the resource is created, updated or replaced. */
export class Command extends pulumi.dynamic.Resource {
  constructor(name: string, args: CommandArgs, options?: pulumi.CustomResourceOptions) {
    super(provider, name, args, { replaceOnChanges: ["triggers"], ...options });
  }
}
