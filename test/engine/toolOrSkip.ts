/** A tool that is got when it is needed. Skips the test where it cannot be had, but never in CI. */
export async function toolOrSkip<T>(context: Mocha.Context, find: () => Promise<T>): Promise<T> {
  try {
    return await find();
  } catch (error) {
    if (process.env["CI"] !== undefined) throw error;
    console.error(`    skipped: ${error instanceof Error ? error.message : String(error)}`);
    return context.skip();
  }
}
