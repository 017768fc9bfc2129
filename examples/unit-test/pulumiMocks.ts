import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";

/** A resource that the program has created, as the mocks saw it. */
interface CreatedResource {
  type: string;
  name: string;
  inputs: Record<string, unknown>;
}

const resources: CreatedResource[] = [];

/** Lets programs run without an engine. A resource gets its inputs as outputs. */
export async function mockPulumi(): Promise<void> {
  resources.length = 0;
  await pulumi.runtime.setMocks(
    {
      newResource(args) {
        const { type, name } = args;
        const inputs = args.inputs as Record<string, unknown>;
        resources.push({ type, name, inputs });
        return { id: `${name}-id`, state: inputs };
      },
      call: () => assert.fail("The program calls no function of a provider."),
    },
    "unit-test",
    "test",
  );
}

/** Waits until the program has created its resources, and returns them. */
export async function createdResources(): Promise<CreatedResource[]> {
  await pulumi.runtime.disconnect();
  return resources;
}

/** Returns the value of an input, which must be secret. */
export function secretValue(input: unknown): unknown {
  assert.ok(pulumi.runtime.isRpcSecret(input), "The input is not secret.");
  return pulumi.runtime.unwrapRpcSecret(input);
}

/** Returns the value of an Output. After a failed read, the test fails with the error of the read. */
export async function valueOf<T>(output: pulumi.Output<T>): Promise<T> {
  await pulumi.isSecret(output); // rejects after a failure, and `apply` alone would never end
  return new Promise((resolve) => output.apply(resolve));
}
