import { rmSync, writeFileSync } from "node:fs";
import * as pulumi from "@pulumi/pulumi";

interface Contents {
  readonly path: string;
  readonly content: string;
}

const provider: pulumi.dynamic.ResourceProvider<Contents, Contents> = {
  create: (inputs) => {
    writeFileSync(inputs.path, inputs.content, { mode: 0o600 });
    return Promise.resolve({ id: inputs.path, outs: inputs });
  },
  update: (_id, _old, inputs) => {
    writeFileSync(inputs.path, inputs.content, { mode: 0o600 });
    return Promise.resolve({ outs: inputs });
  },
  delete: (path) => Promise.resolve(rmSync(path, { force: true })),
};

/** A file that only its owner may read. */
export class SecretFile extends pulumi.dynamic.Resource {
  declare readonly path: pulumi.Output<string>;

  constructor(
    name: string,
    args: { path: pulumi.Input<string>; content: pulumi.Input<string> },
    options?: pulumi.CustomResourceOptions,
  ) {
    super(provider, name, args, { replaceOnChanges: ["path"], ...options });
  }
}
