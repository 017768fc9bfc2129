import { randomBytes } from "node:crypto";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import * as pulumi from "@pulumi/pulumi";

interface Contents {
  readonly path: string;
  readonly content: string;
}

/** Replaces an existing file by a new one: other users may be allowed to read the existing file. */
function write({ path, content }: Contents): void {
  const temporary = `${path}.${randomBytes(6).toString("hex")}`;
  writeFileSync(temporary, content, { mode: 0o600, flag: "wx" });
  renameSync(temporary, path);
}

const provider: pulumi.dynamic.ResourceProvider<Contents, Contents> = {
  create: (inputs) => {
    write(inputs);
    return Promise.resolve({ id: inputs.path, outs: inputs });
  },
  update: (_id, _old, inputs) => {
    write(inputs);
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
