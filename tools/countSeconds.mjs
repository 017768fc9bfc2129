/**
 * Prints the name of a step, and in a terminal also for how many seconds it has run. Plain JavaScript,
 * because the set-up needs it before the build.
 *
 * @param {string} step
 * @returns {() => void} a function that ends the step.
 */
export function countSeconds(step) {
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
