import { PolicyPack, type ResourceValidationPolicy } from "@pulumi/policy";
import * as policies from "pulumi-project-service/policies";
import accepted from "./accepted.json";
import createRules from "./house-rules.mjs";

// An audit with `--rules house-rules.mjs --accepted accepted.json` reads the same files.
const rules = createRules(policies);

/** A snapshot that does not record a field has a finding for each environment. */
const maxReported = 50;

/** Returns the policy that reports the findings of these levels. */
function policyFor(levels: policies.Level[]): Omit<ResourceValidationPolicy, "enforcementLevel"> {
  return {
    name: levels.join("-or-"),
    description: `No project has a finding with the level ${levels.join(" or ")}.`,
    validateResource: ({ type, props }, report) => {
      const findings = policies
        .recordedProjects(type, props)
        .flatMap((project) => policies.auditProject(project, rules, { accepted }))
        .filter(({ level }) => levels.includes(level));
      for (const finding of findings.slice(0, maxReported)) report(policies.formatFinding(finding));
      const more = findings.length - maxReported;
      if (more > 0) report(`${more} more findings.`);
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
