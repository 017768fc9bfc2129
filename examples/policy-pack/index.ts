import { PolicyPack } from "@pulumi/policy";
import { auditedProjects, houseRules, sentenceOf } from "pulumi-project-service/policies";

const severities = { error: "high", warning: "medium", note: "low" } as const;

// To change a severity or to leave out a rule: houseRules({ keptDeployments: { severity: "warning" }, linkedAssets: false })
new PolicyPack("project-service", {
  displayName: "House rules for projects",
  policies: houseRules().map((rule) => ({
    name: rule.name,
    displayName: titleOf(rule.name),
    description: rule.description,
    remediationSteps: rule.remedy,
    severity: severities[rule.severity],
    enforcementLevel: rule.severity === "error" ? "mandatory" : "advisory",
    tags: ["hosting"],
    // The policy config of Pulumi sets the options of a rule: { "kept-deployments": { "minimum": 5 } }
    configSchema: rule.optionsSchema,
    validateResource: (args, report) => {
      const { check } = rule.withOptions(args.getConfig());
      for (const project of auditedProjects(args.type, args.props)) {
        for (const finding of check(project)) report(sentenceOf(finding));
      }
    },
  })),
});

/** Returns for instance `Kept deployments`. */
function titleOf(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll("-", " ");
}
