import { isIP } from "node:net";
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
  const name = displayText(database.name ?? "");
  const subject = databaseSubject(database);
  const elements = allowedElements(allowedIP);
  if (allowedIP === null || elements.some(isOpen)) {
    return [violated(`The database ${name} is not restricted by address.`, { subject })];
  }
  if (elements.length > 0 && elements.every(isAddress)) return [];
  const texts = [...new Set(elements.map((element) => JSON.stringify(element)))].sort();
  const value = texts.join(", ") || "(none)";
  const message = `The allowedIP ${displayText(value)} of the database ${name} does not consist of addresses and prefixes.`;
  return [undecided(message, { subject: `${subject}, allowedIP ${value}` })];
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
  // Shorter than those of the widest private networks: 10.0.0.0/8 and fc00::/7.
  return Number(length) < (isIP(address) === 4 ? 8 : 7);
}

function isAddress(element: unknown): element is string {
  if (typeof element !== "string") return false;
  const [, address = "", length = "0"] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(element) ?? [];
  const version = isIP(address);
  return version !== 0 && Number(length) <= (version === 4 ? 32 : 128);
}
