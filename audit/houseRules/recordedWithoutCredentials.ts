import { exampleProject, houseRule } from "../rules/houseRule.js";
import { violated } from "../rules/problem.js";
import type { ScopeOptions } from "../rules/ruleScope.js";

/** Options of `recordedWithoutCredentials`. A record has no credentials of one environment only. */
export type RecordedWithoutCredentialsOptions = Omit<ScopeOptions, "environments">;

/**
 * Requires that a snapshot does not record credentials. The rule only checks whether they are present.
 *
 * It applies to snapshots only. The audit reads the service without credentials and leaves this rule
 * out.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` for unknown or invalid options.
 */
export const recordedWithoutCredentials = houseRule<RecordedWithoutCredentialsOptions>({
  key: "recordedWithoutCredentials",
  options: {},
  snapshotsOnly: true,
  needs: [],
  define: () => ({
    name: "recorded-without-credentials",
    description: "A snapshot records no credentials.",
    reason:
      "Anyone who may decrypt the stack's state can read recorded credentials in clear text. So can every policy pack that runs on the stack.",
    remedy:
      "Set includeCredentials: false on the ProjectSnapshot or ProjectsSnapshot. Read credentials with getProject where a program needs them.",
    checkProject: ({ recordsCredentials }) =>
      recordsCredentials
        ? [violated("The snapshot records credentials.", { subject: "credentials" })]
        : [],
  }),
  examples: {
    violating: exampleProject({ environments: [], credentials: { databases: { live: [] } } }),
    passing: exampleProject({ environments: [] }),
  },
});
