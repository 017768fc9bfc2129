import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Ajv } from "ajv";
import { repository } from "../support/paths.js";

const example = join(repository, "examples/fleet");

// eslint-disable-next-line @typescript-eslint/no-require-imports -- js-yaml has no types
const yaml = require("js-yaml") as { load(text: string): unknown };

interface Stack {
  kind: string;
  metadata: { name: string };
  spec: Record<string, unknown> & { stack: string; config: unknown };
}

describe("the manifest of the example fleet for the Kubernetes operator", () => {
  let stacks: Stack[];
  let validate: (stack: unknown) => string[];
  before(async () => {
    const text = await readFile(join(example, "kubernetes.yaml"), "utf8");
    const { items } = yaml.load(text) as { items: Stack[] };
    stacks = items.filter(({ kind }) => kind === "Stack");
    const schema = await readFile(join(repository, "test/external/stackResource.json"), "utf8");
    const isStack = new Ajv({ strict: false, formats: { int32: true, int64: true } }).compile(
      withoutUnknownKeys(JSON.parse(schema)) as object,
    );
    validate = (stack) => {
      isStack(stack);
      return (isStack.errors ?? []).map(
        ({ instancePath, message }) => `${instancePath} ${message}`,
      );
    };
  });

  /** Makes a schema reject unknown keys. The API server would drop them silently. */
  function withoutUnknownKeys(schema: unknown): unknown {
    if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return schema;
    const members = Object.entries(schema).map(
      ([key, value]) => [key, withoutUnknownKeys(value)] as const,
    );
    const isObject = "properties" in schema && "type" in schema && schema.type === "object";
    const isMetadata = isObject && Object.keys(schema.properties as object).length === 0;
    return {
      ...Object.fromEntries(members),
      ...(isObject && !isMetadata ? { additionalProperties: false } : {}),
    };
  }

  it("has one valid stack for each shard, by the schema of the operator", () => {
    assert.equal(stacks.length, 4);
    for (const [shard, stack] of stacks.entries()) {
      assert.deepEqual(validate(stack), []);
      assert.equal(stack.metadata.name, `fleet-shard-${shard}`);
      assert.equal(stack.spec.stack, `acme/fleet/shard-${shard}`);
      assert.deepEqual(stack.spec.config, { "fleet:shard": `${shard}`, "fleet:shards": "4" });
    }
    const [first, ...others] = stacks.map(({ spec: { stack: _, config: __, ...same } }) => same);
    for (const other of others) assert.deepEqual(other, first);
  });

  it("would be rejected with an unknown key or without the name of the stack", () => {
    const [stack] = stacks as [Stack];
    const { stack: _, ...spec } = stack.spec;
    assert.deepEqual(validate({ ...stack, spec }), ["/spec must have required property 'stack'"]);
    assert.deepEqual(validate({ ...stack, spec: { ...stack.spec, resyncFrequency: 3600 } }), [
      "/spec must NOT have additional properties",
    ]);
  });
});
