import { PolicyPack, type ResourceValidationPolicy } from "@pulumi/policy";
import * as policies from "pulumi-project-service/policies";
import accepted from "./accepted.json";
import createRules from "./house-rules.mjs";

// An audit with `--rules house-rules.mjs --accepted accepted.json` reads the same files.
const rules = createRules(policies);

/** Of a snapshot that does not record a field, a rule can be undecided about every environment. */
const maxUndecided = 50;

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
      const violated = findings.filter(({ state }) => state === "violated");
      const undecided = findings.filter(({ state }) => state === "undecided");
      for (const finding of [...violated, ...undecided.slice(0, maxUndecided)]) {
        report(policies.formatFinding(finding));
      }
      const others = undecided.length - maxUndecided;
      if (others > 0) report(`Other undecided findings of this snapshot: ${others}.`);
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
