import { displayList } from "../../provider/errors/displayText.js";
import type { AuditedProject } from "./auditedProject.js";
import type { CheckedProject } from "./checkedProject.js";
import { indeterminate, type Problem } from "./problem.js";
import { conditionsOption, selectProject } from "./projectConditions.js";
import { createRule, isRule, type Rule, type RuleDefinition } from "./rule.js";
import {
  checkOptions,
  type OptionSchema,
  type OptionValue,
  type ResolvedOptions,
  resolveOptions,
  type RuleOption,
  type RuleOptions,
  type SeverityOption,
  stringsOption,
} from "./ruleOptions.js";

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
  readonly violating: AuditedProject;
  /** A project that follows the rule. */
  readonly passing: AuditedProject;
}

/** Returns a house rule. Throws ProjectServiceError `ARGUMENT_INVALID` for unknown or invalid options. */
export type HouseRuleFactory<O extends SeverityOption> = (options?: O) => HouseRule;

/** The options that every house rule about the service has. */
export interface ScopeOptions extends SeverityOption {
  /** Ids of the environments that the rule checks. Default: every environment, or what the rule says. */
  environments?: readonly string[] | undefined;
  /**
   * Conditions as in `--filter` of the audit, such as `type=TYPO3`. The rule checks the projects that
   * match all of them. Default: every project.
   */
  projects?: readonly string[] | undefined;
}

/** A rule without its severity, which is an option. */
type Definition = Omit<RuleDefinition, "severity">;

interface HouseRuleDefinition<O extends RuleOptions> {
  readonly key: string;
  readonly options: O;
  /** The environments without the option `environments`. Undefined: every environment. */
  readonly environments?: readonly string[];
  readonly snapshotsOnly?: boolean;
  /**
   * Whether a project has anything that the rule is about. If it has not, it needs none of the named
   * environments. Default: true.
   */
  readonly concerns?: (project: CheckedProject) => boolean;
  /**
   * The checks get only the projects of the option `projects`. The problems of other environments than
   * those of the option `environments` are left out.
   */
  readonly define: (
    options: ResolvedOptions<O>,
    environments: readonly string[] | undefined,
  ) => Definition;
  readonly examples: RuleExamples;
}

type GivenOptions<O extends RuleOptions> = ScopeOptions & {
  readonly [K in keyof O]?: ResolvedOptions<O>[K] | undefined;
};

/** Returns the function that creates a house rule with its options. */
export function houseRule<O extends RuleOptions>(
  definition: HouseRuleDefinition<O>,
): HouseRuleFactory<GivenOptions<O>> {
  const { key, options: own, snapshotsOnly = false, define, examples } = definition;
  const known = { ...own, ...scopeOptions(definition) };
  const create = (given: GivenOptions<O> = {}): HouseRule => {
    const { severity, ...options } = resolveOptions<RuleOptions>(key, given, known);
    const environments = options["environments"] as readonly string[] | undefined;
    const rule = define(options as ResolvedOptions<O>, environments);
    const scoped = snapshotsOnly ? rule : withScope(rule, definition, environments);
    const conditions = options["projects"] as readonly string[] | undefined;
    const created = createRule(
      { ...(conditions === undefined ? scoped : forProjects(scoped, conditions)), severity },
      snapshotsOnly,
    );
    return Object.freeze({
      ...created,
      key,
      // A copy: the rule must not change with it.
      optionsSchema: structuredClone({ properties: schemasOf(known, options) }),
      examples,
      withOptions(this: unknown, changes: object) {
        checkOptions(key, changes, [...Object.keys(known), "severity"]);
        const defined = Object.entries(changes).filter(([, value]) => value !== undefined);
        // A user may have spread the rule to change its name and severity.
        const { name, severity } = isRule(this) ? this : created;
        const changed = create({ ...given, severity, ...Object.fromEntries(defined) });
        return Object.freeze({ ...changed, name });
      },
    });
  };
  return create;
}

function scopeOptions({
  environments,
  snapshotsOnly = false,
}: Pick<HouseRuleDefinition<RuleOptions>, "environments" | "snapshotsOnly">): RuleOptions {
  const projects: RuleOption<readonly string[] | undefined> = conditionsOption(
    "Conditions as in `--filter` of the audit, such as `type=TYPO3`. The rule checks the projects that match all of them. Without this option: every project.",
  );
  if (snapshotsOnly) return { projects };
  return {
    environments: stringsOption(
      `Ids of the environments that the rule checks.${environments === undefined ? " Without this option: every environment." : ""}`,
      environments,
    ),
    projects,
  };
}

/** Limits a rule to environments. A project that lists none of them is a problem of its own. */
function withScope(
  rule: Definition,
  { concerns = () => true }: Pick<HouseRuleDefinition<RuleOptions>, "concerns">,
  wanted: readonly string[] | undefined,
): Definition {
  const { checkProject, checkEnvironment, checkProjects } = rule;
  const isChecked = (environmentId: string): boolean =>
    wanted === undefined || wanted.includes(environmentId);
  return {
    ...rule,
    checkProject: (project) => [
      ...environmentsProblem(project, wanted, concerns(project)),
      ...(checkProject?.(project) ?? []),
    ],
    checkEnvironment:
      checkEnvironment &&
      ((environment, project) =>
        isChecked(environment.environmentId) ? checkEnvironment(environment, project) : []),
    checkProjects:
      checkProjects &&
      ((projects) =>
        checkProjects(projects).filter(
          ({ environmentId }) => environmentId === undefined || isChecked(environmentId),
        )),
  };
}

function environmentsProblem(
  { environments, missingFields }: CheckedProject,
  wanted: readonly string[] | undefined,
  isConcerned: boolean,
): Problem[] {
  if (missingFields.includes("environments")) {
    return [
      indeterminate("The service omits the environments of the project.", {
        subject: "environments",
      }),
    ];
  }
  if (wanted === undefined || !isConcerned) return [];
  if (environments.some(({ environmentId }) => wanted.includes(environmentId))) return [];
  const ids = displayList(wanted);
  return [
    indeterminate(
      `The rule checked nothing, because the project has none of these environments: ${ids}. Set the option environments of the rule to environments of the project, or leave the project out with the option projects.`,
      { subject: `environments ${wanted.join(", ")}` },
    ),
  ];
}

/** Limits a rule to the projects that match conditions. */
function forProjects(rule: Definition, conditions: readonly string[]): Definition {
  const { checkProject, checkEnvironment, checkProjects } = rule;
  const select = selectProject(conditions);
  return {
    ...rule,
    checkProject: (project) => {
      const { isSelected, missing } = select(project);
      if (missing === undefined) return isSelected ? (checkProject?.(project) ?? []) : [];
      return [
        indeterminate(
          `The service omits ${missing}, so it is open whether the rule applies to the project.`,
          { subject: `projects ${conditions.join(" and ")}` },
        ),
      ];
    },
    checkEnvironment:
      checkEnvironment &&
      ((environment, project) =>
        select(project).isSelected ? checkEnvironment(environment, project) : []),
    checkProjects:
      checkProjects &&
      ((projects) => checkProjects(projects.filter((project) => select(project).isSelected))),
  };
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
export function exampleProject(fields: AuditedProject): AuditedProject {
  return { projectId: "p-1", name: "shop", ...fields };
}
