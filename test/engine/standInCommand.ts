/*
 * A plugin that takes the place of the one of @pulumi/command, where that cannot be downloaded. The engine starts it as
 * a process: it runs the command of a resource when the resource is created.
 */
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { main } from "@pulumi/pulumi/provider/server.js";

// eslint-disable-next-line @typescript-eslint/no-require-imports -- the installed version
const { version } = require("@pulumi/command/package.json") as { version: string };

/** The arguments of a command, in which a secret can stand for each value. */
interface Inputs {
  readonly create: string;
  readonly environment: Record<string, string>;
  readonly triggers: unknown[];
}

/** https://www.pulumi.com/docs/iac/guides/building-extending/providers/implementers/secrets/ */
const signature = "4dabf18193072939515e22adb298388d";

/** Returns a value without the marks of its secrets. */
function plain(inputs: object): Inputs {
  return JSON.parse(JSON.stringify(inputs), (_key, value: unknown) =>
    typeof value === "object" && value !== null && signature in value
      ? (value as { value?: unknown }).value
      : value,
  ) as Inputs;
}

void main(
  {
    version,
    diff: (_id, _urn, olds: Inputs, news: Inputs) => {
      const isNew = !isDeepStrictEqual(plain(olds.triggers), plain(news.triggers));
      return Promise.resolve({ changes: isNew, replaces: isNew ? ["triggers"] : [] });
    },
    create: (_urn, inputs: Inputs) => {
      const { create, environment } = plain(inputs);
      const env = { ...process.env, ...environment };
      const stdout = execFileSync("sh", ["-c", create], { env, encoding: "utf8" });
      return Promise.resolve({ id: randomUUID(), outs: { ...inputs, stdout, stderr: "" } });
    },
    delete: () => Promise.resolve(),
  },
  process.argv.slice(2),
);
