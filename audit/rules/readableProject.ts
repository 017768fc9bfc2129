import { displayText } from "../../provider/errors/displayText.js";
import { type Rule, violated } from "./rule.js";

/** The rule about projects that could not be read. It is not one of the house rules. */
export const readableProject: Rule = {
  name: "readable-project",
  severity: "error",
  description: "Every project that the service lists can be read.",
  reason: "No rule has checked a project that cannot be read.",
  remedy:
    "Give the user in the setting username access to the project, or correct the project in the service.",
  checkProject: ({ inaccessible: code }) => {
    if (code === undefined) return [];
    return [violated(`The project could not be read (${displayText(code)}).`, { subject: code })];
  },
};
