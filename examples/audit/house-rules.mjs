/**
 * The rules of this audit: the built-in rules of the package, and two of our own.
 *
 * @type {import("pulumi-project-service/policies").RulesFunction}
 */
export default ({ builtInRules, defineRule, violated, undecided }) => [
  ...builtInRules({
    restrictedDatabases: { environments: ["live"] },
    keptDeployments: { minimum: 5, level: "warning", environments: ["dev"] },
  }),
  defineRule({
    name: "tagged-releases",
    description: "The environment live runs a release.",
    reason: "Only releases have passed the acceptance tests.",
    remedy: "Deploy a tag such as v1.2.3.",
    environments: ["live"],
    // A rule that reads a field that the service omits cannot decide. So this one reads the tag only of projects with code.
    checkEnvironment: (environment, project) => {
      if (project.hasCode === false) return [];
      const { currentTag } = environment;
      if (currentTag === "") return [undecided("No tag is deployed.", { subject: "tag" })];
      if (/^v\d/.test(currentTag)) return [];
      const subject = `tag ${currentTag}`;
      return [violated(`The tag ${currentTag} is not a release.`, { subject })];
    },
  }),
  defineRule({
    name: "own-domains",
    description: "No two projects have the same domain.",
    reason: "Only one of them is served.",
    remedy: "Give each project a domain of its own.",
    checkProjects: (projects) => {
      const domains = projects.map(({ domain }) => domain);
      return projects
        .filter(({ domain }, index) => domain && domains.indexOf(domain) !== index)
        .map(({ projectId, domain }) =>
          violated(`Another project has the domain ${domain}.`, {
            projectId,
            subject: `domain ${domain}`,
          }),
        );
    },
  }),
];
