import { hash } from "node:crypto";
import { isIP } from "node:net";
import { displayList, displayText } from "../../provider/errors/displayText.js";
import type { AuditedEnvironment } from "../rules/auditedProject.js";
import { exampleOfLive, houseRule } from "../rules/houseRule.js";
import { mayHaveDatabases, omittedDatabases, unlistedProblem } from "./omittedLists.js";
import { indeterminate, type Problem, violated } from "../rules/problem.js";
import { choiceOption } from "../rules/ruleOptions.js";
import type { ScopeOptions } from "../rules/ruleScope.js";
import { databaseSubject } from "./subjectValue.js";

/** Options of `restrictedDatabases`. */
export interface RestrictedDatabasesOptions extends ScopeOptions {
  /**
   * The result for an `allowedIP` with anything other than addresses and prefixes, such as `192.168.%`:
   * `"unknown"` (default) or `"pass"`.
   */
  otherShapes?: "unknown" | "pass" | undefined;
}

/**
 * Requires that databases restrict the addresses that can reach them.
 *
 * A database is open if its `allowedIP` is null, has an element `0.0.0.0`, `::`, `%` or `*`, or has
 * prefixes that together contain every IPv4 address, such as `0.0.0.0/0`, or `0.0.0.0/1` and
 * `128.0.0.0/1`. IPv4 addresses are those of `::ffff:0:0/96`. A database is restricted if its `allowedIP`
 * consists of other addresses and prefixes. The elements are those of a list, or of a text that is split
 * at commas and blanks. With any other value the state is `unknown`. It is also `unknown` if the service
 * omits the field, the list of databases, or says that there are databases and lists none.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` for unknown or invalid options.
 */
export const restrictedDatabases = houseRule<RestrictedDatabasesOptions>({
  key: "restrictedDatabases",
  options: {
    otherShapes: choiceOption<"unknown" | "pass">(
      "The result for an `allowedIP` with anything other than addresses and prefixes, such as `192.168.%`.",
      ["unknown", "pass"],
      "unknown",
    ),
  },
  needs: ["environments.databases.allowedIP"],
  mayNeed: ["hasDatabases"],
  concerns: mayHaveDatabases,
  define: ({ otherShapes }, environments) => ({
    name: "restricted-databases",
    description: `Every database${environments === undefined ? "" : ` of ${displayList(environments)}`} restricts the addresses that can reach it.`,
    reason:
      "Anyone can try to connect to a database without a restriction. Only its password protects it.",
    remedy: "Set allowedIP of the database in the Project Service.",
    checkProject: (project) => unlistedProblem(project, "databases", environments),
    checkEnvironment: (environment, project) => [
      ...omittedDatabases(environment, project),
      ...problemsOf(environment, otherShapes),
    ],
  }),
  examples: {
    violating: exampleOfLive({ databases: [{ name: "shop_live", allowedIP: null }] }),
    passing: exampleOfLive({ databases: [{ name: "shop_live", allowedIP: ["192.0.2.7"] }] }),
  },
});

function problemsOf({ databases }: AuditedEnvironment, otherShapes: "unknown" | "pass"): Problem[] {
  return (databases ?? []).flatMap(({ name, databaseType, allowedIP }) => {
    const database = `database ${displayText(name ?? "")}`;
    const subject = databaseSubject(name, databaseType);
    const restriction = restrictionOf(allowedIP);
    if (restriction === "open") {
      return [violated(`The ${database} is not restricted by address.`, { subject })];
    }
    if (restriction === "missing") {
      const message = `The service does not say whether the ${database} is restricted by address.`;
      return [indeterminate(message, { subject })];
    }
    if (restriction === "restricted" || otherShapes === "pass") return [];
    const elements = distinctTexts(elementsOf(allowedIP));
    const value = patternIn(elements);
    const shown = value === undefined ? "" : ` ${value}`;
    const message = `The allowedIP${shown} of the ${database} has another shape than addresses and prefixes. If the service restricts the database by it, set the option otherShapes of the rule to pass.`;
    const allowed = `allowedIP ${value ?? shortHash(elements)}`;
    return [indeterminate(message, { subject: `${subject}, ${allowed}` })];
  });
}

type Restriction = "restricted" | "open" | "missing" | "other";

function restrictionOf(allowedIP: unknown): Restriction {
  if (allowedIP === undefined) return "missing";
  if (allowedIP === null) return "open";
  const elements = elementsOf(allowedIP).map(rangeOf);
  const ranges = elements.filter((element) => typeof element === "object");
  if (elements.includes("open") || containEveryIPv4(ranges)) return "open";
  return ranges.length > 0 && ranges.length === elements.length ? "restricted" : "other";
}

function elementsOf(allowedIP: unknown): unknown[] {
  const values: unknown[] = Array.isArray(allowedIP) ? allowedIP : [allowedIP];
  return values.flatMap((value): unknown[] =>
    typeof value === "string" ? value.split(/[\s,]+/).filter((text) => text !== "") : [value],
  );
}

/** The first and the last address of a prefix. An IPv4 address counts as the IPv6 address that maps it. */
type AddressRange = readonly [first: bigint, last: bigint];

const firstIPv4 = numberOf("::ffff:0.0.0.0");
const lastIPv4 = numberOf("::ffff:255.255.255.255");

/** Returns the addresses of an element, or "open" for one that stands for every address. */
function rangeOf(element: unknown): AddressRange | "open" | "other" {
  if (typeof element !== "string") return "other";
  if (element === "%" || element === "*") return "open";
  const [, address = "", prefix] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(element) ?? [];
  const version = isIP(address);
  if (version === 0) return "other";
  const maxLength = version === 4 ? 32 : 128;
  const length = prefix === undefined ? maxLength : Number(prefix);
  if (length > maxLength) return "other";
  const number = numberOf(version === 4 ? `::ffff:${address}` : address);
  if (length === maxLength && (number === 0n || number === firstIPv4)) return "open";
  const size = 1n << BigInt(maxLength - length);
  const first = number - (number % size);
  return [first, first + size - 1n];
}

/** Returns an IPv6 address as a number. */
function numberOf(address: string): bigint {
  // A URL has the groups in hexadecimal digits, and no zone.
  const { hostname } = new URL(`http://[${address.replace(/%.*/, "")}]`);
  const [start = [], end = []] = hostname
    .slice(1, -1)
    .split("::")
    .map((half) => half.split(":").filter((group) => group !== ""));
  const zeros = Array<string>(8 - start.length - end.length).fill("0");
  return [...start, ...zeros, ...end].reduce(
    (number, group) => number * 0x10000n + BigInt(`0x${group}`),
    0n,
  );
}

/** IPv6 needs no look of its own: prefixes with every IPv6 address contain the range of IPv4. */
function containEveryIPv4(ranges: readonly AddressRange[]): boolean {
  const sorted = [...ranges].sort(([a], [b]) => (a < b ? -1 : 1));
  let next = firstIPv4;
  for (const [first, last] of sorted) if (first <= next && last >= next) next = last + 1n;
  return next > lastIPv4;
}

/** Returns elements as texts, so that neither their order nor a repetition makes a difference. */
function distinctTexts(elements: readonly unknown[]): string[] {
  return [...new Set(elements.map((element) => JSON.stringify(element)))].sort();
}

/** Returns elements that look like patterns of addresses. Any other value could hold anything. */
function patternIn(elements: readonly string[]): string | undefined {
  const texts = elements.map((element) => /^"([\da-f.:%*_/-]+)"$/i.exec(element)?.[1]);
  const text = texts.join(", ");
  return texts.length > 0 && !texts.includes(undefined) && text.length <= 200 ? text : undefined;
}

function shortHash(elements: readonly string[]): string {
  return `with the SHA-256 ${hash("sha256", elements.join()).slice(0, 12)}`;
}
