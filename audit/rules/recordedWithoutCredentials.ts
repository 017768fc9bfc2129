import { defineRule, type Rule, violated } from "../rule.js";
import { checkOptions } from "../ruleOptions.js";

/** This rule has no options. */
export type RecordedWithoutCredentialsOptions = Record<string, never>;

/**
 * A ProjectSnapshot does not record credentials. Only whether they are there is looked at.
 *
 * About snapshots only: the audit reads the service without credentials and leaves this rule out.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` for options: there are none.
 */
export function recordedWithoutCredentials(options: RecordedWithoutCredentialsOptions = {}): Rule {
  checkOptions("recordedWithoutCredentials", options, []);
  return defineRule({
    name: "recorded-without-credentials",
    description: "A ProjectSnapshot records no credentials.",
    reason:
      "Whoever may decrypt the stack's state, and every policy pack that runs on it, reads them in clear.",
    remedy:
      "Set includeCredentials: false on the ProjectSnapshot, and read credentials with getProject where they are needed.",
    snapshotsOnly: true,
    ofProject: ({ credentials }) =>
      credentials === undefined || credentials === null
        ? []
        : [violated("The snapshot records credentials.")],
  });
}
