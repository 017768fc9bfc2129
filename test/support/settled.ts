import * as pulumi from "@pulumi/pulumi";

/** What an Output holds, and whether all of it is secret. */
export async function settled<T>(output: pulumi.Output<T>): Promise<{ value: T; secret: boolean }> {
  const value = await new Promise<T>((resolve, reject) => {
    // An Output that fails rejects the promise that `apply` keeps to itself; take it from there.
    const inner = output.apply(resolve as (value: unknown) => void) as unknown as {
      promise(): Promise<unknown>;
    };
    inner.promise().catch(reject);
  });
  return { value, secret: await pulumi.isSecret(output) };
}
