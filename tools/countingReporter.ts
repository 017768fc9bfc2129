import { writeFileSync } from "node:fs";
import Mocha from "mocha";

export interface SuiteReport {
  stats: { passes: number; pending: number };
  /** The title and the message of each failed test. */
  failed: readonly string[];
}

/** Mocha's spec reporter. Also writes a `SuiteReport`, as JSON, to the file that TEST_REPORT names. */
class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const file = process.env["TEST_REPORT"];
    runner.once(Mocha.Runner.constants.EVENT_RUN_END, () => {
      if (file === undefined) return;
      const failed = this.failures.map((test) => `${test.fullTitle()}\n${test.err?.message}`);
      writeFileSync(file, JSON.stringify({ stats: this.stats, failed }));
    });
  }
}

module.exports = CountingReporter;
