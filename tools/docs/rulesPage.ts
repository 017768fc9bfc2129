import { format, resolveConfig } from "prettier";
import type { HouseRule } from "../../audit/rules/houseRule.js";
import { houseRules } from "../../audit/houseRules/houseRules.js";

/** Returns docs/rules.md: a section for each house rule, from the texts of the rule itself. */
export async function rulesPage(): Promise<string> {
  return format(unformattedPage(), { ...(await resolveConfig(__filename)), parser: "markdown" });
}

function unformattedPage(): string {
  const rules = houseRules();
  const rows = rules.map(
    ({ name, key, description }) => `| [${name}](#${name}) | \`${key}\` | ${description} |`,
  );
  return `# House rules

| rule | key | requirement |
| --- | --- | --- |
${rows.join("\n")}

\`pulumi-project-service audit\` checks all projects against these rules, as [audit.md](audit.md) describes. A policy pack checks the projects that a stack records. Both show the texts of this page.

A finding is \`violated\` if a project breaks a rule. It is \`unknown\` if the service omits a field that could change the result. No rule asks for parts that the service says a project does not have. For instance, a project with \`hasCode: false\` needs no branch and no webroot.

The key configures a rule in a rules file and in \`houseRules()\`. \`false\` leaves a rule out. The rules take these options:

- \`severity\`: \`error\`, \`warning\` or \`note\`. The level of a violated finding is the severity. The level of an unknown finding is one step lower.
- \`environments\`: ids of the environments that the rule checks. If a project has none of these environments, the rule has an \`unknown\` finding for it. There is no such finding if the project has nothing that the rule checks, such as code.
- \`projects\`: conditions as in \`--filter\`, such as \`type=TYPO3\`. The rule checks the projects that match all of them. If the service omits a field of a condition, and no other condition excludes the project, the rule has an \`unknown\` finding for it.

\`\`\`json
{ "keptDeployments": { "minimum": 5, "environments": ["live"] }, "linkedAssets": false }
\`\`\`

${rules.map(sectionOf).join("\n")}
## Where this page comes from

The tests check each example against its rule with the default options. \`npm run docs\` writes this page from the rules in \`audit/houseRules/\`.
`;
}

function sectionOf(rule: HouseRule): string {
  const { name, key, severity, description, reason, remedy } = rule;
  const { snapshotsOnly, comparesProjects, examples } = rule;
  return `## ${name}

${description}

- **Why:** ${reason}
- **How to fix it:** ${remedy}
- **Key:** \`${key}\`
- **Severity:** \`${severity}\` by default
${optionLines(rule)}${snapshotsOnly ? `- **Only for recorded projects:** The audit leaves this rule out, because it reads the service and not a stack's state.\n` : ""}${comparesProjects ? `- **Compares projects:** In an audit, the rule also compares the projects that it checks with each other. A policy pack checks each project alone.\n` : ""}
This project violates the rule:

${jsonBlock(examples.violating)}

This project follows it:

${jsonBlock(examples.passing)}
`;
}

function optionLines({ optionsSchema }: HouseRule): string {
  return Object.entries(optionsSchema.properties)
    .map(([option, { description, enum: values, default: value }]) => {
      const choices = values === undefined ? "" : ` Values: ${values.map(codeOf).join(", ")}.`;
      const suffix = value === undefined ? "" : ` Default: ${codeOf(value)}.`;
      return `- **Option \`${option}\`:** ${description}${choices}${suffix}\n`;
    })
    .join("");
}

function codeOf(value: unknown): string {
  return `\`${JSON.stringify(value)}\``;
}

function jsonBlock(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value)}\n\`\`\``;
}
