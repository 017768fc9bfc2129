/*
 * Mocha loads this file before the unit tests (.mocharc.json). A warning that Node prints, for
 * instance about a timer, fails the test that causes it: users would see it in the output of Pulumi.
 */
import assert from "node:assert/strict";

const warnings: string[] = [];
process.on("warning", ({ stack }) => {
  // To serialize a closure, Pulumi's SDK loads every module of Node. With Node 26, one of them is experimental.
  if (!/^ExperimentalWarning: FFI /.test(String(stack))) warnings.push(String(stack));
});

export const mochaHooks: Mocha.RootHookObject = {
  afterEach() {
    assert.deepEqual(warnings.splice(0), []);
  },
};
