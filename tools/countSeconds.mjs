/**
 * Prints the name of a step, and in a terminal also for how many seconds it has run.
 *
 * @returns a function that ends the step.
 */
export function countSeconds(step: string): () => void {
  process.stderr.write(`• ${step}`);
  const started = Date.now();
  const show = () =>
    process.stderr.write(`\r• ${step} ${Math.round((Date.now() - started) / 1000)} s`);
  const timer = process.stderr.isTTY ? setInterval(show, 1000) : undefined;
  return () => {
    clearInterval(timer);
    process.stderr.write("\n");
  };
}
