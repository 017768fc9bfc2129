/*
 * Loaded before Stryker and its test runners. Mocha 12 renamed files that @stryker-mutator/mocha-runner
 * 10.0.0 asks for without extension. Not needed with a release that has
 * https://github.com/stryker-mutator/stryker-js/pull/6205.
 */
import { registerHooks } from "node:module";

const renamed = /[\\/]mocha[\\/]lib[\\/]cli[\\/](run-helpers|options|collect-files)$/;

registerHooks({
  resolve: (specifier, context, next) =>
    next(renamed.test(specifier) ? `${specifier}.cjs` : specifier, context),
});
