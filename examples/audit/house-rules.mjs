/**
 * The rules of this audit: the house rules of the package, and one of our own.
 *
 * @type {import("pulumi-project-service/policies").RulesFunction}
 */
export default ({ houseRules, defineRule, violated, indeterminate }) => [
  ...houseRules({
    restrictedDatabases: { environments: ["live"] },
    keptDeployments: { severity: "warning" },
  }),
  defineRule({
    name: "tagged-releases",
    description: "The environment live runs a release.",
    reason: "Only releases have passed the acceptance tests.",
    remedy: "Deploy a tag such as v1.2.3.",
    checkEnvironment: ({ environmentId, currentTag }, { hasCode }) => {
      if (environmentId !== "live" || hasCode === false) return [];
      if (!currentTag) return [indeterminate("The service does not say which tag is deployed.")];
      return /^v\d/.test(currentTag) ? [] : [violated(`The tag ${currentTag} is not a release.`)];
    },
  }),
];
