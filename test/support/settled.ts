import * as pulumi from "@pulumi/pulumi";

/** Returns the value of an Output, and whether all of it is secret. */
export async function settled<T>(output: pulumi.Output<T>): Promise<{ value: T; secret: boolean }> {
  const value = await new Promise<T>((resolve, reject) => {
    // A failed Output rejects only the promise inside the Output that `apply` returns.
    const inner = output.apply(resolve as (value: unknown) => void) as unknown as {
      promise(): Promise<unknown>;
    };
    inner.promise().catch(reject);
  });
  return { value, secret: await pulumi.isSecret(output) };
}
