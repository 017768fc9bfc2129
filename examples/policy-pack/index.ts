import { PolicyPack } from "@pulumi/policy";
import { houseRules, projectSnapshotType, sentenceOf } from "pulumi-project-service/policies";

// To change a limit or to leave out a rule: houseRules({ keptDeployments: { minimum: 5 }, linkedAssets: false })
new PolicyPack("project-service", {
  enforcementLevel: "mandatory",
  policies: houseRules().map(({ name, description, check }) => ({
    name,
    description,
    validateResource: ({ type, props }, report) => {
      if (type !== projectSnapshotType) return;
      for (const finding of check(props)) report(sentenceOf(finding));
    },
  })),
});
