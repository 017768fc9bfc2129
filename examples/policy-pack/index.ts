import { PolicyPack } from "@pulumi/policy";
import {
  auditedProjects,
  checkProject,
  guardedProductionBranch,
  initializedEnvironments,
  keptDeployments,
  restrictedDatabases,
  sentenceOf,
  unsharedDatabases,
  webrootLocation,
} from "pulumi-project-service/policies";

const severities = { error: "high", warning: "medium", note: "low" } as const;

/** JSON Schema of the options in the policy config: { "kept-deployments": { "minimum": 5 } } */
const texts = { type: "array", items: { type: "string" }, minItems: 1 } as const;
const environments = { environments: texts };
const count = { type: "integer", minimum: 1 } as const;

/** Each rule with its options. To change a severity: () => unsharedDatabases({ severity: "warning" }) */
const policies = [
  { create: guardedProductionBranch, options: environments },
  { create: restrictedDatabases, options: environments },
  { create: initializedEnvironments, options: environments },
  { create: keptDeployments, options: { ...environments, minimum: count } },
  { create: webrootLocation, options: { ...environments, folders: texts } },
  { create: unsharedDatabases, options: environments },
];

new PolicyPack("project-service", {
  displayName: "House rules for projects",
  policies: policies.map(({ create, options }) => {
    const { name, description, remedy, severity } = create();
    return {
      name,
      displayName: titleOf(name),
      description,
      remediationSteps: remedy,
      severity: severities[severity],
      enforcementLevel: severity === "error" ? "mandatory" : "advisory",
      tags: ["hosting"],
      configSchema: { properties: options },
      validateResource: (args, report) => {
        const rules = [create(args.getConfig())];
        for (const project of auditedProjects(args.type, args.props)) {
          for (const finding of checkProject(project, rules)) report(sentenceOf(finding));
        }
      },
    };
  }),
});

/** Returns for instance `Kept deployments`. */
function titleOf(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll("-", " ");
}
