import { PolicyPack, type ResourceValidationPolicy } from "@pulumi/policy";
import * as policies from "pulumi-project-service/policies";
import accepted from "./accepted.json";
import createRules from "./house-rules.mjs";

// An audit with `--rules house-rules.mjs --accepted accepted.json` reads the same files.
const rules = createRules(policies);

/** Returns the policy that reports the findings of these levels. */
function policyFor(levels: policies.Level[]): Omit<ResourceValidationPolicy, "enforcementLevel"> {
  return {
    name: levels.join("-or-"),
    description: `No project has a finding with the level ${levels.join(" or ")}.`,
    validateResource: ({ type, props }, report) => {
      for (const project of policies.recordedProjects(type, props)) {
        for (const finding of policies.auditProject(project, rules, { accepted })) {
          if (levels.includes(finding.level)) report(policies.formatFinding(finding));
        }
      }
    },
  };
}

new PolicyPack("project-service", {
  displayName: "Rules for projects",
  policies: [
    { ...policyFor(["error"]), severity: "high", enforcementLevel: "mandatory" },
    { ...policyFor(["warning", "note"]), severity: "low", enforcementLevel: "advisory" },
  ],
});
