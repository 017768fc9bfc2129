import { argumentInvalid, checkKeys } from "../../provider/errors/projectServiceError.js";
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

/** An option of a house rule. */
export interface RuleOption<T> {
  readonly schema: OptionSchema;
  readonly default: T;
  /** Checks the strings of a list. `option` names the option, for the message of the error. */
  readonly check?: (option: string, texts: readonly string[]) => void;
}

export type RuleOptions = Readonly<Record<string, RuleOption<OptionValue | undefined>>>;

/**
 * Returns the options of a rule with their defaults, and its severity.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` for unknown or invalid options.
 */
export function resolveOptions(
  owner: string,
  options: unknown,
  own: RuleOptions,
): Record<string, OptionValue | undefined> {
  const known: RuleOptions = { ...own, severity: severityOption };
  const given = checkKeys(`The options of ${owner}`, options, Object.keys(known));
  const resolved = Object.entries(known).map(([key, option]) => {
    const value = given[key];
    return [key, value === undefined ? option.default : checkedValue(owner, key, value, option)];
  });
  return Object.fromEntries(resolved) as Record<string, OptionValue | undefined>;
}

function checkedValue(
  owner: string,
  key: string,
  value: unknown,
  { schema, check }: RuleOption<OptionValue | undefined>,
): OptionValue {
  const option = `option ${key} of ${owner}`;
  if (!fits(schema, value)) {
    throw argumentInvalid(`The ${option} must be ${requirements[schema.type](schema)}.`);
  }
  if (typeof value !== "object") return value;
  check?.(option, value);
  return [...value];
}

function fits({ type, enum: choices }: OptionSchema, value: unknown): value is OptionValue {
  if (type === "string") return choices?.includes(value as string) === true;
  if (type === "integer") return Number.isSafeInteger(value) && (value as number) >= 1;
  const isText = (text: unknown) => typeof text === "string" && text !== "";
  return Array.isArray(value) && value.length > 0 && value.every(isText);
}

const requirements: Record<OptionSchema["type"], (schema: OptionSchema) => string> = {
  string: ({ enum: choices = [] }) => `one of ${choices.join(", ")}`,
  integer: () => "a whole number, 1 or more",
  array: () => "a list of at least one string. No string may be empty",
};

/** An option with a list of at least one string, none of them empty. */
export function stringsOption<D extends readonly string[] | undefined>(
  description: string,
  defaultValue: D,
  check: RuleOption<D>["check"] = () => {},
): RuleOption<D | readonly string[]> {
  const items = { type: "string", minLength: 1 } as const;
  const schema = { description, type: "array", items, minItems: 1 } as const;
  return { schema, default: defaultValue, check };
}

/** An option with one of several words. */
export function choiceOption<C extends string>(
  description: string,
  choices: readonly C[],
  defaultValue: C,
): RuleOption<C> {
  return { schema: { description, type: "string", enum: [...choices] }, default: defaultValue };
}

const severityOption = choiceOption("", levels, "error");

/** An option with a whole number, 1 or more. */
export function countOption(description: string, defaultValue: number): RuleOption<number> {
  return { schema: { description, type: "integer", minimum: 1 }, default: defaultValue };
}
