import { writeFileSync } from "node:fs";
import Mocha from "mocha";

/** Mocha's spec reporter. Also writes its counts, as JSON, to the file that TEST_REPORT names. */
class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const file = process.env["TEST_REPORT"];
    runner.once(Mocha.Runner.constants.EVENT_RUN_END, () => {
      if (file !== undefined) writeFileSync(file, JSON.stringify(this.stats));
    });
  }
}

module.exports = CountingReporter;
