import { checkKeys } from "../../provider/errors/projectServiceError.js";
import type { ProjectFieldKey } from "../../provider/model/recordedFields.js";
import type { AuditedProject, ProjectToCheck } from "./auditedProject.js";
import { createRule, hasTexts, type KnownDefinition } from "./createRule.js";
import type { Rule, RuleDefinition } from "./rule.js";
import {
  type OptionSchema,
  type OptionValue,
  type ResolvedOptions,
  resolveOptions,
  type RuleOptions,
  type SeverityOption,
} from "./ruleOptions.js";
import {
  environmentsOption,
  forEnvironments,
  forProjects,
  keysOfConditions,
  projectsOption,
  type ScopeOptions,
} from "./ruleScope.js";

/** A rule of this package. */
export interface HouseRule extends Rule {
  /** The name of the rule in the options of `houseRules` and in a rules file, such as `keptDeployments`. */
  readonly key: string;
  /** Projects that show the rule with its default options. */
  readonly examples: RuleExamples;
  /** Returns the house rule with other options, as {@link Rule.withOptions} does. */
  readonly withOptions: (options: object) => HouseRule;
}

/** Projects that show a rule, with the fields that the rule needs. */
export interface RuleExamples {
  /** A project that violates the rule. */
  readonly violating: ProjectToCheck;
  /** A project that follows the rule. */
  readonly passing: ProjectToCheck;
}

/** Returns a house rule. Throws ProjectServiceError `ARGUMENT_INVALID` for unknown or invalid options. */
export type HouseRuleFactory<O extends SeverityOption> = (options?: O) => HouseRule;

interface HouseRuleDefinition<O extends RuleOptions> {
  readonly key: string;
  readonly options: O;
  /** The environments without the option `environments`. Undefined: every environment. */
  readonly environments?: readonly string[];
  readonly snapshotsOnly?: boolean;
  /** The fields without which the rule checks no project of a partial record. */
  readonly needs: readonly ProjectFieldKey[];
  /** The fields without which the rule can decide, but not about every project. */
  readonly mayNeed?: readonly ProjectFieldKey[];
  /**
   * Whether a project has anything that the rule is about. If it has not, it needs none of the named
   * environments. Default: true.
   */
  readonly concerns?: (project: AuditedProject) => boolean;
  /**
   * The checks get only the projects of the option `projects`. The problems of other environments than
   * those of the option `environments` are left out.
   */
  readonly define: (
    options: ResolvedOptions<O>,
    environments: readonly string[] | undefined,
  ) => Omit<RuleDefinition, "severity">;
  readonly examples: RuleExamples;
}

type GivenOptions<O extends RuleOptions> = ScopeOptions & {
  readonly [K in keyof O]?: ResolvedOptions<O>[K] | undefined;
};

/** Returns the function that creates a house rule with its options. */
export function houseRule<O extends RuleOptions>(
  definition: HouseRuleDefinition<O>,
): HouseRuleFactory<GivenOptions<O>> {
  const { key, options: own, snapshotsOnly, concerns = () => true, define, examples } = definition;
  const { needs, mayNeed } = definition;
  const known: RuleOptions = {
    ...own,
    ...(snapshotsOnly ? {} : { environments: environmentsOption(definition.environments) }),
    projects: projectsOption(),
  };
  const create = (given: GivenOptions<O> = {}): HouseRule => {
    const { severity, ...options } = resolveOptions(key, given, known);
    const environments = options["environments"] as readonly string[] | undefined;
    const conditions = options["projects"] as readonly string[] | undefined;
    let rule: KnownDefinition = define(options as ResolvedOptions<O>, environments);
    if (!snapshotsOnly) rule = forEnvironments(rule, environments, concerns);
    if (conditions !== undefined) rule = forProjects(rule, conditions);
    const created = createRule({
      ...rule,
      severity,
      snapshotsOnly,
      needs: [...needs, ...keysOfConditions(conditions)],
      mayNeed,
    });
    return Object.freeze({
      ...created,
      key,
      // A copy: the rule must not change with it.
      optionsSchema: structuredClone({ properties: schemasOf(known, options) }),
      examples,
      withOptions(this: unknown, changes: object) {
        checkKeys(`The options of ${key}`, changes, [...Object.keys(known), "severity"]);
        const defined = Object.entries(changes).filter(([, value]) => value !== undefined);
        // A user may have spread the rule to change its name and severity.
        const { name, severity } = hasTexts(this) ? this : created;
        const changed = create({ ...given, severity, ...Object.fromEntries(defined) });
        return Object.freeze({ ...changed, name });
      },
    });
  };
  return create;
}

/** Returns the schema of each option, with the present value as the default. */
function schemasOf(
  known: RuleOptions,
  values: Readonly<Record<string, OptionValue | undefined>>,
): Record<string, OptionSchema> {
  return Object.fromEntries(
    Object.entries(known).map(([key, { schema }]) => {
      const value = values[key];
      return [key, value === undefined ? schema : { ...schema, default: value }];
    }),
  );
}

/** Returns the project of an example: the shop with these fields. */
export function exampleProject(fields: ProjectToCheck): ProjectToCheck {
  return { projectId: "p-1", name: "shop", ...fields };
}
