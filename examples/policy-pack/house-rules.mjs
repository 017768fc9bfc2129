/** @type {import("pulumi-project-service/policies").RulesFunction} */
export default ({ houseRules }) => houseRules({ keptDeployments: { severity: "warning" } });
