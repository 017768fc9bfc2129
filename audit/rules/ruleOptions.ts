import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import { displayText } from "../../provider/errors/displayText.js";
import { type Level, levels } from "./finding.js";

/** Options that every house rule has. */
export interface SeverityOption {
  /** The level of a finding that violates the rule. Default `error`. */
  severity?: Level | undefined;
}

/** The value of an option of a rule. */
export type OptionValue = number | string | readonly string[];

/** JSON Schema of an option of a rule. */
export interface OptionSchema {
  /** The meaning of the option. */
  readonly description: string;
  /** The type of the value. */
  readonly type: "integer" | "string" | "array";
  /** The possible values. */
  readonly enum?: string[];
  /** The minimum number. */
  readonly minimum?: number;
  /** The minimum length of the list. */
  readonly minItems?: number;
  /** The elements of the list. */
  readonly items?: { readonly type: "string"; readonly minLength: number };
  /** The value that the rule uses. Missing if the rule then has no restriction. */
  readonly default?: OptionValue;
}

/**
 * JSON Schema of the options of a rule. The defaults are the options that the rule has. `severity` is not
 * in it, because Pulumi takes the severity from the policy.
 */
export interface OptionsSchema {
  /** The schema of each option. */
  readonly properties: Readonly<Record<string, OptionSchema>>;
}

/** An option of a house rule: its schema, its default, and the check of a value. */
export interface RuleOption<T> {
  readonly schema: OptionSchema;
  readonly default: T;
  /** Returns the value. Throws if it is invalid. */
  readonly parse: (owner: string, key: string, value: unknown) => T;
}

export type RuleOptions = Readonly<Record<string, RuleOption<OptionValue | undefined>>>;

export type ResolvedOptions<O extends RuleOptions> = {
  readonly [K in keyof O]: O[K] extends RuleOption<infer T extends OptionValue | undefined>
    ? T
    : never;
};

/**
 * Returns the options of a rule with their defaults, and its severity.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` for unknown or invalid options.
 */
export function resolveOptions<O extends RuleOptions>(
  owner: string,
  options: unknown,
  known: O,
): ResolvedOptions<O> & { readonly severity: Level } {
  checkOptions(owner, options, [...Object.keys(known), "severity"]);
  const values = options as Record<string, unknown>;
  const resolved = Object.entries(known).map(([key, option]) => {
    const value = values[key];
    return [key, value === undefined ? option.default : option.parse(owner, key, value)];
  });
  return {
    ...(Object.fromEntries(resolved) as ResolvedOptions<O>),
    severity: severityOption(owner, values["severity"]),
  };
}

/**
 * Refuses options that are not an object or have keys other than `known`. Otherwise a typo could
 * loosen a rule.
 */
export function checkOptions(owner: string, options: unknown, known: readonly string[]): void {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw argumentInvalid(`The options of ${owner} must be an object.`);
  }
  const unknownKeys = Object.keys(options).filter((key) => !known.includes(key));
  if (unknownKeys.length === 0) return;
  throw argumentInvalid(
    `${owner} has no option ${unknownKeys.map((key) => displayText(key)).join(", ")}. ` +
      (known.length === 0 ? "It has no options." : `Its options are ${known.join(", ")}.`),
  );
}

/** An option with a list of at least one string, none of them empty. */
export function stringsOption<D extends readonly string[] | undefined>(
  description: string,
  defaultValue: D,
): RuleOption<D | readonly string[]> {
  return {
    schema: {
      description,
      type: "array",
      items: { type: "string", minLength: 1 },
      minItems: 1,
    },
    default: defaultValue,
    parse(owner, key, value) {
      if (
        Array.isArray(value) &&
        value.length > 0 &&
        value.every((text) => typeof text === "string" && text !== "")
      ) {
        return [...(value as string[])];
      }
      throw argumentInvalid(
        `The option ${key} of ${owner} must be a list of at least one string. No string may be empty.`,
      );
    },
  };
}

/** An option with one of several words. */
export function choiceOption<C extends string>(
  description: string,
  choices: readonly C[],
  defaultValue: C,
): RuleOption<C> {
  return {
    schema: { description, type: "string", enum: [...choices] },
    default: defaultValue,
    parse(owner, key, value) {
      if ((choices as readonly unknown[]).includes(value)) return value as C;
      throw argumentInvalid(`The option ${key} of ${owner} must be one of ${choices.join(", ")}.`);
    },
  };
}

/** An option with a whole number, 1 or more. */
export function countOption(description: string, defaultValue: number): RuleOption<number> {
  return {
    schema: { description, type: "integer", minimum: 1 },
    default: defaultValue,
    parse(owner, key, value) {
      if (Number.isSafeInteger(value) && (value as number) >= 1) return value as number;
      throw argumentInvalid(`The option ${key} of ${owner} must be a whole number, 1 or more.`);
    },
  };
}

function severityOption(owner: string, value: unknown = "error"): Level {
  if ((levels as readonly unknown[]).includes(value)) return value as Level;
  throw argumentInvalid(`The option severity of ${owner} must be one of ${levels.join(", ")}.`);
}
