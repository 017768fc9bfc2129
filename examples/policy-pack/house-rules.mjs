/** @param {import("pulumi-project-service/policies").RuleTools} tools */
export default ({ houseRules }) => houseRules({ keptDeployments: { severity: "warning" } });
