import { hash } from "node:crypto";
import { BlockList, isIP } from "node:net";
import { displayText } from "../../provider/errors/displayText.js";
import { checkOptions, type RuleOptions } from "../rules/defineRule.js";
import { checkEach } from "../rules/missingFields.js";
import { undecided, type Problem, type Rule, violated } from "../rules/rule.js";
import {
  type AuditedDatabase,
  databasesOf,
  databaseSubject,
  unlistedDatabases,
} from "./databases.js";

/**
 * Requires that databases restrict the addresses that can reach them.
 *
 * A database is open if its `allowedIP` is null, or has an element `0.0.0.0`, `::`, `%`, `*` or a prefix that is
 * wider than any private network, in a list or in a text that is split at commas and blanks. It is restricted if all
 * elements are other addresses and prefixes. With any other value, the state is `undecided`.
 */
export function restrictedDatabases(options: RuleOptions = {}): Rule {
  const common = checkOptions("restrictedDatabases", options);
  return {
    name: "restricted-databases",
    ...common,
    description: "Every database restricts the addresses that can reach it.",
    reason: "Without a restriction, only the network and the password protect a database.",
    remedy: "Set allowedIP of the database in the Project Service.",
    checkProject: unlistedDatabases,
    checkEnvironment: (environment, project) =>
      checkEach(databasesOf(environment, project), problemsOfDatabase),
  };
}

function problemsOfDatabase(database: AuditedDatabase): Problem[] {
  const { allowedIP } = database;
  if (allowedIP === undefined) return [];
  // A database without a name can be open too.
  const name = displayText(("name" in database && database.name) || "without a name");
  const subject = databaseSubject(database);
  const elements = allowedElements(allowedIP);
  if (allowedIP === null || elements.some(isOpen)) {
    return [violated(`The database ${name} is not restricted by address.`, { subject })];
  }
  if (elements.length > 0 && elements.every(isAddress)) return [];
  const texts = [...new Set(elements.map((element) => JSON.stringify(element)))].sort();
  const value = patternIn(texts);
  const shown = value === undefined ? "" : ` ${value}`;
  const message = `The allowedIP${shown} of the database ${name} does not consist of addresses and prefixes.`;
  const digest = `with the SHA-256 ${hash("sha256", texts.join()).slice(0, 12)}`;
  return [undecided(message, { subject: `${subject}, allowedIP ${value ?? digest}` })];
}

function allowedElements(allowedIP: unknown): unknown[] {
  const values: unknown[] = Array.isArray(allowedIP) ? allowedIP : [allowedIP];
  return values.flatMap((value): unknown[] =>
    typeof value === "string" ? value.split(/[\s,]+/).filter((text) => text !== "") : [value],
  );
}

function isOpen(element: unknown): boolean {
  if (!isAddress(element)) return element === "%" || element === "*";
  const [address = "", length] = element.split("/");
  if (length === undefined) return /^[0.:]+$/.test(element);
  // Shorter than those of the widest private networks: 10.0.0.0/8, fc00::/7, and 10.0.0.0/8 as IPv6.
  if (isIP(address) === 4) return Number(length) < 8;
  return Number(length) < (mappedIPv4.check(address, "ipv6") ? 96 + 8 : 7);
}

/** IPv4 addresses that are written as IPv6: https://www.rfc-editor.org/rfc/rfc4291#section-2.5.5.2 */
const mappedIPv4 = new BlockList();
mappedIPv4.addSubnet("::ffff:0:0", 96, "ipv6");

function isAddress(element: unknown): element is string {
  if (typeof element !== "string") return false;
  const [, address = "", length = "0"] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(element) ?? [];
  const version = isIP(address);
  return version !== 0 && Number(length) <= (version === 4 ? 32 : 128);
}

/** Returns elements that look like patterns of addresses. Any other value could hold anything. */
function patternIn(elements: readonly string[]): string | undefined {
  const texts = elements.map((element) => /^"([\da-f.:%*_/-]+)"$/i.exec(element)?.[1]);
  const text = texts.join(", ");
  return texts.length > 0 && !texts.includes(undefined) && text.length <= 200 ? text : undefined;
}
