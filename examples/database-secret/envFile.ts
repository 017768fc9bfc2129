import { randomBytes } from "node:crypto";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import * as pulumi from "@pulumi/pulumi";

// This file stands for somebody else's resource, which knows nothing of your secrets.

interface Inputs {
  readonly path: string;
  readonly variables: Readonly<Record<string, string>>;
}

interface Outputs extends Inputs {
  readonly content: string;
}

/** Replaces an existing file by a new one: other users may be allowed to read the existing file. */
function write({ path, variables }: Inputs): Outputs {
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`);
  const content = lines.join("");
  const temporary = `${path}.${randomBytes(6).toString("hex")}`;
  writeFileSync(temporary, content, { mode: 0o600, flag: "wx" });
  renameSync(temporary, path);
  return { path, variables, content };
}

const provider: pulumi.dynamic.ResourceProvider<Inputs, Outputs> = {
  create: (inputs) => Promise.resolve({ id: inputs.path, outs: write(inputs) }),
  update: (_id, _old, inputs) => Promise.resolve({ outs: write(inputs) }),
  delete: (path) => Promise.resolve(rmSync(path, { force: true })),
};

interface EnvFileArgs {
  path: pulumi.Input<string>;
  variables: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/** A file of environment variables that only its owner may read, except on Windows. */
export class EnvFile extends pulumi.dynamic.Resource {
  declare readonly path: pulumi.Output<string>;
  /** The text of the file. */
  declare readonly content: pulumi.Output<string>;

  constructor(name: string, args: EnvFileArgs, options?: pulumi.CustomResourceOptions) {
    // An output that is not an input must be an input with the value undefined.
    const inputs = { ...args, content: undefined };
    super(provider, name, inputs, { replaceOnChanges: ["path"], ...options });
  }
}
