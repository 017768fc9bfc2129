import type { Rule } from "../rules/rule.js";

/**
 * The rule of an audit that goes on without the projects that it cannot read. It is not one of the house
 * rules: without `--on-inaccessible report`, such a project fails the audit.
 */
export const readableProject: Rule = {
  name: "readable-project",
  severity: "error",
  description: "The audit can read every project that the service lists.",
  reason: "No rule has checked a project that cannot be read.",
  remedy: "Ask for access to the project for the user in the setting username.",
  // Every rule has a finding for a project that could not be read. The others do not get it in an audit.
  checkProject: () => [],
};
