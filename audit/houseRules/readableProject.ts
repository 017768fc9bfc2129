import { displayText } from "../../provider/errors/displayText.js";
import { createRule } from "../rules/createRule.js";
import { indeterminate } from "../rules/problem.js";

/**
 * The rule of an audit that goes on without the projects that it cannot read. It is not one of the house
 * rules: without `--on-inaccessible report`, such a project fails the audit.
 */
export const readableProject = createRule({
  name: "readable-project",
  description: "The audit can read every project that the service lists.",
  reason: "No rule has checked a project that cannot be read.",
  remedy: "Ask for access to the project for the user in the setting username.",
  snapshotsOnly: true, // Other rules get no project that could not be read.
  checkProject: ({ inaccessible }) => {
    if (inaccessible === undefined) return [];
    const message = `The project could not be read (${displayText(inaccessible)}).`;
    return [indeterminate(message, { subject: inaccessible })];
  },
});
