import * as pulumi from "@pulumi/pulumi";
import { argumentInvalid } from "../../provider/errors/argumentInvalid.js";

/**
 * Creates a secret Output that throws when a program converts it to text.
 *
 * Pulumi's own conversions return a sentence of advice, which `pulumi up` would store in place of the
 * value.
 *
 * @param name what the program calls the value. The error contains it.
 */
export function secretWithoutText<T>(name: string, value: pulumi.Input<T>): pulumi.Output<T> {
  return Object.assign(pulumi.secret(value), conversionsOf(name)) as pulumi.Output<T>;
}

type Conversions = Record<"toString" | "toJSON" | typeof Symbol.toPrimitive, () => never>;

const conversionsByName = new Map<string, Conversions>();

function conversionsOf(name: string): Conversions {
  const existing = conversionsByName.get(name);
  if (existing !== undefined) return existing;
  const refuse = (): never => {
    throw argumentInvalid(
      `${name} is a secret Output and cannot be converted to text here. Use pulumi.interpolate\`…\${${name}}…\` for a text, pulumi.jsonStringify for JSON, or ${name}.apply(value => …) for anything else, such as a comparison. databaseUrl makes the URL of a database.`,
    );
  };
  const conversions = { toString: refuse, toJSON: refuse, [Symbol.toPrimitive]: refuse };
  conversionsByName.set(name, conversions);
  return conversions;
}
