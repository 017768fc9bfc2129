import { defineRule, type Rule, violated } from "./rule.js";
import { checkOptions } from "./ruleOptions.js";

/** This rule has no options. */
export type RecordedWithoutCredentialsOptions = Record<string, never>;

/**
 * Requires that a ProjectSnapshot does not record credentials. The rule only checks whether they are
 * present.
 *
 * It applies to snapshots only. The audit reads the service without credentials and leaves this rule
 * out.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` for any option: the rule has none.
 */
export function recordedWithoutCredentials(options: RecordedWithoutCredentialsOptions = {}): Rule {
  checkOptions("recordedWithoutCredentials", options, []);
  return defineRule({
    name: "recorded-without-credentials",
    description: "A ProjectSnapshot records no credentials.",
    reason:
      "Anyone who may decrypt the stack's state can read recorded credentials in clear text. So can every policy pack that runs on the stack.",
    remedy:
      "Set includeCredentials: false on the ProjectSnapshot. Read credentials with getProject where a program needs them.",
    snapshotsOnly: true,
    checkProject: ({ credentials }) =>
      credentials === undefined || credentials === null
        ? []
        : [violated("The snapshot records credentials.")],
  });
}
