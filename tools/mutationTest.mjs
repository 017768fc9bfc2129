/*
 * Makes Stryker work with Mocha 12. Node loads this file before Stryker and before its test runners.
 *
 * Mocha 12 added the extension .cjs to some of its files, which @stryker-mutator/mocha-runner 10.0.0
 * loads without an extension. Delete this file when a release of the runner contains
 * https://github.com/stryker-mutator/stryker-js/pull/6205.
 */
import { registerHooks } from "node:module";

const renamedFile = /[\\/]mocha[\\/]lib[\\/]cli[\\/](run-helpers|options|collect-files)$/;

registerHooks({
  resolve: (specifier, context, next) =>
    next(renamedFile.test(specifier) ? `${specifier}.cjs` : specifier, context),
});
