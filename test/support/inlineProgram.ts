import * as state from "@pulumi/pulumi/runtime/state.js";

/**
 * Calls a function as Pulumi's SDK calls an inline program: with a store of its own. The types of the SDK do
 * not contain it.
 */
export const { withLocalStorage: inInlineProgram } = state as unknown as {
  withLocalStorage: <T>(program: () => T) => T;
};
