import { checkKeys } from "../../provider/errors/projectServiceError.js";
import type { ProjectFieldKey } from "../../provider/model/recordedFields.js";
import type { AuditedEnvironment, AuditedProject, ProjectToCheck } from "./auditedProject.js";
import { createRule, hasTexts, type KnownDefinition } from "./createRule.js";
import type { Level } from "./finding.js";
import type { Rule, RuleDefinition } from "./rule.js";
import {
  type OptionSchema,
  type OptionValue,
  type RuleOption,
  resolveOptions,
  type RuleOptions,
  type SeverityOption,
} from "./ruleOptions.js";
import {
  compileConditions,
  environmentsOption,
  environmentsProblem,
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

/** The options of one house rule, without those that all of them have. None is undefined: each has a default. */
type OwnOptions<O> = {
  readonly [K in Exclude<keyof O, keyof ScopeOptions>]-?: Exclude<O[K], undefined>;
};

interface HouseRuleDefinition<O> extends Pick<KnownDefinition, "snapshotsOnly" | "mayNeed"> {
  readonly key: string;
  readonly options: { readonly [K in keyof OwnOptions<O>]: RuleOption<OwnOptions<O>[K]> };
  /** The environments without the option `environments`. Undefined: every environment. */
  readonly environments?: readonly string[];
  /** The fields without which the rule checks no project of a partial record. */
  readonly needs: readonly ProjectFieldKey[];
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
    options: OwnOptions<O>,
    environments: readonly string[] | undefined,
  ) => Omit<RuleDefinition, "severity">;
  readonly examples: RuleExamples;
}

/** Returns the function that creates a house rule with its options. */
export function houseRule<O extends ScopeOptions>(
  definition: HouseRuleDefinition<O>,
): HouseRuleFactory<O> {
  const { key, options: own, snapshotsOnly, concerns = () => true, define, examples } = definition;
  const { needs, mayNeed } = definition;
  const known: RuleOptions = {
    ...own,
    ...(snapshotsOnly ? {} : { environments: environmentsOption(definition.environments) }),
    projects: projectsOption(),
  };
  const create = (given: ScopeOptions = {}): HouseRule => {
    const { severity, ...options } = resolveOptions(key, given, known);
    const environments = options["environments"] as readonly string[] | undefined;
    const { keys, select } = compileConditions((options["projects"] ?? []) as readonly string[]);
    const { checkProject, ...rule } = define(options as OwnOptions<O>, environments);
    const created = createRule({
      ...rule,
      severity: severity as Level,
      snapshotsOnly,
      checkedEnvironments: environments,
      select,
      needs: [...needs, ...keys],
      mayNeed,
      checkProject: (project) => [
        ...(snapshotsOnly ? [] : environmentsProblem(project, environments, concerns(project))),
        ...(checkProject?.(project) ?? []),
      ],
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

/** Returns the project of an example: the shop with these fields, and with one environment, `live`. */
export function exampleOfLive(
  live: Omit<AuditedEnvironment, "environmentId">,
  fields: ProjectToCheck = {},
): ProjectToCheck {
  return exampleProject({ ...fields, environments: [{ environmentId: "live", ...live }] });
}
