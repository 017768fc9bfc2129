import { BlockList, isIP } from "node:net";
import { displayList, displayText } from "../../provider/errors/displayText.js";
import type { AuditedEnvironment, AuditedProject } from "../rules/auditedProject.js";
import { exampleProject, houseRule, type HouseRuleFactory } from "../rules/houseRule.js";
import { omits, unlistedProblem } from "./omittedLists.js";
import { indeterminate, type Problem, violated } from "../rules/problem.js";
import { choiceOption } from "../rules/ruleOptions.js";
import type { ScopeOptions } from "../rules/ruleScope.js";

/** Options of `restrictedDatabases`. */
export interface RestrictedDatabasesOptions extends ScopeOptions {
  /**
   * The result for an `allowedIP` with anything else than addresses and prefixes, such as `192.168.%`:
   * `"unknown"` (default) or `"pass"`.
   */
  otherShapes?: "unknown" | "pass" | undefined;
}

/**
 * Requires that databases restrict the addresses that can reach them.
 *
 * A database is open if its `allowedIP` is null, or has an element that allows every address: a prefix
 * of length 0, `0.0.0.0`, `::`, `%` or `*`. It is restricted if `allowedIP` consists of addresses and
 * longer prefixes. The elements are those of a list, or of a text that is split at commas and blanks.
 * With any other value the state is `unknown`. It is also `unknown` if the service omits the field, the
 * list of databases, or says that there are databases and lists none.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` for unknown or invalid options.
 */
export const restrictedDatabases: HouseRuleFactory<RestrictedDatabasesOptions> = houseRule({
  key: "restrictedDatabases",
  options: {
    otherShapes: choiceOption<"unknown" | "pass">(
      "The result for an `allowedIP` with anything else than addresses and prefixes, such as `192.168.%`.",
      ["unknown", "pass"],
      "unknown",
    ),
  },
  concerns: ({ hasDatabases, environments }) =>
    hasDatabases !== false || environments.some(({ databases }) => databases?.length),
  define: ({ otherShapes }, environments) => ({
    name: "restricted-databases",
    description: `Every database${environments === undefined ? "" : ` of ${displayList(environments)}`} restricts the addresses that can reach it.`,
    reason:
      "Anyone can try to connect to a database without a restriction. Only its password protects it.",
    remedy: "Set allowedIP of the database in the Project Service.",
    checkProject: (project) => unlistedProblem(project, "databases", project.hasDatabases),
    checkEnvironment: (environment, project) => problemsOf(environment, project, otherShapes),
  }),
  examples: {
    violating: exampleProject({
      environments: [
        { environmentId: "live", databases: [{ name: "shop_live", allowedIP: null }] },
      ],
    }),
    passing: exampleProject({
      environments: [
        { environmentId: "live", databases: [{ name: "shop_live", allowedIP: ["192.0.2.7"] }] },
      ],
    }),
  },
});

function problemsOf(
  environment: AuditedEnvironment,
  { hasDatabases }: AuditedProject,
  otherShapes: "unknown" | "pass",
): Problem[] {
  if (omits(environment, "databases")) {
    if (hasDatabases === false) return [];
    return [indeterminate("The service omits the list of databases.", { subject: "databases" })];
  }
  return (environment.databases ?? []).flatMap(({ name, allowedIP }) => {
    const database = `database ${displayText(name ?? "")}`;
    const subject = `database ${name ?? ""}`;
    switch (restrictionOf(allowedIP)) {
      case "restricted":
        return [];
      case "open":
        return [violated(`The ${database} is not restricted by address.`, { subject })];
      case "missing":
        return [
          indeterminate(
            `The service does not say whether the ${database} is restricted by address.`,
            { subject },
          ),
        ];
      case "other": {
        if (otherShapes === "pass") return [];
        const value = patternIn(allowedIP);
        const shown = value === undefined ? "" : ` ${value}`;
        return [
          indeterminate(
            `The allowedIP${shown} of the ${database} has another shape than addresses and prefixes. If the service restricts the database by it, set the option otherShapes of the rule to pass.`,
            { subject: `${subject}, allowedIP${shown}` },
          ),
        ];
      }
    }
  });
}

type Restriction = "restricted" | "open" | "missing" | "other";

function restrictionOf(allowedIP: unknown): Restriction {
  if (allowedIP === undefined) return "missing";
  if (allowedIP === null) return "open";
  const elements = elementsOf(allowedIP).map(elementKind);
  if (elements.includes("open")) return "open";
  return elements.length > 0 && elements.every((kind) => kind === "restricted")
    ? "restricted"
    : "other";
}

function elementsOf(allowedIP: unknown): unknown[] {
  const values: unknown[] = Array.isArray(allowedIP) ? allowedIP : [allowedIP];
  return values.flatMap((value): unknown[] =>
    typeof value === "string" ? value.split(/[\s,]+/).filter((text) => text !== "") : [value],
  );
}

function elementKind(element: unknown): Restriction {
  if (typeof element !== "string") return "other";
  if (element === "%" || element === "*") return "open";
  const [, address = "", prefix] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(element) ?? [];
  const version = isIP(address);
  if (version === 0) return "other";
  const family = version === 4 ? "ipv4" : "ipv6";
  const maxPrefix = version === 4 ? 32 : 128;
  const length = prefix === undefined ? maxPrefix : Number(prefix);
  if (length > maxPrefix) return "other";
  const unspecified = new BlockList();
  unspecified.addAddress("0.0.0.0");
  unspecified.addAddress("::", "ipv6");
  if (length === maxPrefix) return unspecified.check(address, family) ? "open" : "restricted";
  const subnet = new BlockList();
  subnet.addSubnet(address, length, family);
  const coversAll =
    (subnet.check("0.0.0.0") && subnet.check("255.255.255.255")) ||
    (subnet.check("::1", "ipv6") && subnet.check(`ffff${":ffff".repeat(7)}`, "ipv6"));
  return coversAll ? "open" : "restricted";
}

/** Returns a value that looks like a pattern of addresses. Any other value could hold anything. */
function patternIn(allowedIP: unknown): string | undefined {
  const elements = elementsOf(allowedIP);
  if (elements.length === 0) return undefined;
  if (!elements.every((element) => typeof element === "string")) return undefined;
  const text = elements.join(" ");
  return /^[\da-f.:%*_/ -]{1,200}$/i.test(text) ? text : undefined;
}
