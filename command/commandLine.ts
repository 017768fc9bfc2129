import { parseArgs, type ParseArgsConfig } from "node:util";
import { didYouMean, displayText } from "../provider/errors/displayText.js";
import { argumentInvalid } from "../provider/errors/projectServiceError.js";
import { printStdout } from "./standardStreams.js";

type Options = NonNullable<ParseArgsConfig["options"]>;

/** The values of options, as `parseArgs` of Node returns them. */
export type OptionValues<O extends Options> = ReturnType<
  typeof parseArgs<{ options: O }>
>["values"];

/** Runs with the arguments after the name of the command. Returns the exit code. */
export type Command = (args: string[]) => Promise<number>;

/** Makes a command of its usage, its options and the function that gets their values. */
export function defineCommand<const O extends Options>(
  usage: string,
  options: O,
  run: (values: OptionValues<O>, positionals: readonly string[]) => Promise<number>,
  { allowPositionals = false } = {},
): Command {
  const help = { type: "boolean", short: "h" } as const;
  return async (args) => {
    const known = { ...options, help };
    // In a loose reading, an unknown option is no error yet, so that this one can say what was meant.
    const { tokens } = parseArgs({ args, options: known, strict: false, tokens: true });
    for (const token of tokens) {
      if (token.kind !== "option" || Object.hasOwn(known, token.name)) continue;
      const names = Object.keys(known).map((name) => `--${name}`);
      const advice = didYouMean(token.rawName, names, "options");
      throw argumentInvalid(`Unknown option ${displayText(token.rawName)}. ${advice}.`);
    }
    const parsed = parseArgs({ args, options: known, allowPositionals, tokens: true });
    const values = parsed.values as OptionValues<O> & { help?: boolean };
    if (values.help === true) {
      printStdout(usage);
      return 0;
    }
    const seen = new Set<string>();
    for (const { name, value } of parsed.tokens.filter((token) => token.kind === "option")) {
      // An unset variable of a CI job leaves an option without a value.
      if (value === "") throw argumentInvalid(`--${name} is empty. Pass a value, or leave it out.`);
      if (seen.has(name) && !options[name]?.multiple) {
        throw argumentInvalid(`--${name} is given more than once. Pass it once.`);
      }
      seen.add(name);
    }
    return run(values, parsed.positionals);
  };
}

export function enumOption<W extends string>(
  option: string,
  text: string | undefined,
  words: readonly W[],
): W {
  const known = words.find((word) => word === text);
  if (known !== undefined) return known;
  const problem =
    text === undefined
      ? `is missing. It must be one of ${words.join(", ")}`
      : `${displayText(text)} is unknown. ${didYouMean(text, words, "values")}`;
  throw argumentInvalid(`${option} ${problem}.`);
}
