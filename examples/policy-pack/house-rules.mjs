/** @type {import("pulumi-project-service/policies").RulesFunction} */
export default ({ builtInRules }) => builtInRules({ keptDeployments: { level: "warning" } });
