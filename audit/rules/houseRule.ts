import type { AuditedProject } from "./auditedProject.js";
import { createRule, type Rule, type RuleDefinition } from "./rule.js";
import {
  type OptionSchema,
  type OptionValue,
  type ResolvedOptions,
  resolveOptions,
  type RuleOptions,
  type SeverityOption,
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

interface HouseRuleDefinition<O extends RuleOptions> {
  readonly key: string;
  readonly options: O;
  readonly snapshotsOnly?: boolean;
  readonly define: (options: ResolvedOptions<O>) => Omit<RuleDefinition, "severity">;
  readonly examples: RuleExamples;
}

type GivenOptions<O extends RuleOptions> = SeverityOption & {
  readonly [K in keyof O]?: ResolvedOptions<O>[K] | undefined;
};

/** Returns the function that creates a house rule with its options. */
export function houseRule<O extends RuleOptions>(
  definition: HouseRuleDefinition<O>,
): HouseRuleFactory<GivenOptions<O>> {
  const { key, options: known, snapshotsOnly, define, examples } = definition;
  const create = (given: GivenOptions<O> = {}): HouseRule => {
    const { severity, ...options } = resolveOptions(key, given, known);
    return Object.freeze({
      ...createRule(
        { ...define(options as unknown as ResolvedOptions<O>), severity },
        snapshotsOnly,
      ),
      key,
      optionsSchema: { properties: schemasOf(known, options) },
      examples,
      withOptions: (changes: object) => create({ ...given, ...changes }),
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
export function exampleProject(fields: AuditedProject): AuditedProject {
  return { projectId: "p-1", name: "shop", ...fields };
}
