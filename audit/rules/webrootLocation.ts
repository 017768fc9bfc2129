import { argumentInvalid } from "../../provider/errors/argumentInvalid.js";
import { displayList, displayText } from "../../provider/errors/displayText.js";
import { exampleProject, houseRule, type HouseRuleFactory } from "./houseRule.js";
import { indeterminate, violated } from "./problem.js";
import { type RuleOption, type SeverityOption, stringsOption } from "./ruleOptions.js";

/** Options of `webrootLocation`. */
export interface WebrootLocationOptions extends SeverityOption {
  /** Folders that may contain webroots, as absolute paths. Default `["/var/www"]`. */
  folders?: readonly string[] | undefined;
}

/**
 * Requires that every webroot is one of the allowed folders, or is in one of them.
 *
 * The rule compares whole names: `/var/www-old` is not in `/var/www`. A path with `..` is in no
 * folder, wherever it leads. The state is `unknown` if the service shows no webroot, unless it says
 * that the project has no code.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` for unknown or invalid options.
 */
export const webrootLocation: HouseRuleFactory<WebrootLocationOptions> = houseRule({
  key: "webrootLocation",
  options: { folders: foldersOption() },
  define: ({ folders }) => ({
    name: "webroot-location",
    description: `Every webroot is in ${displayList(folders)}.`,
    reason:
      "In another place, a web server may serve files that others can read or that nobody meant to serve.",
    remedy: `Move the webroot to a folder in ${displayList(folders)}, without .. in its path.`,
    checkEnvironment: ({ webroot }, { hasCode }) => {
      if (!webroot) {
        return hasCode === false ? [] : [indeterminate("The service does not show a webroot.")];
      }
      if (hasParentStep(webroot))
        return [violated(`The webroot ${displayText(webroot)} has .. in its path.`)];
      return folders.some((folder) => isIn(webroot, folder))
        ? []
        : [violated(`The webroot ${displayText(webroot)} is not in an allowed folder.`)];
    },
  }),
  examples: {
    violating: exampleProject({
      environments: [{ environmentId: "live", webroot: "/home/jane/shop" }],
    }),
    passing: exampleProject({
      environments: [{ environmentId: "live", webroot: "/var/www/shop/live/current/public" }],
    }),
  },
});

function foldersOption(): RuleOption<readonly string[]> {
  const strings = stringsOption("Folders that may contain webroots, as absolute paths.", [
    "/var/www",
  ]);
  return {
    ...strings,
    parse(owner, key, value) {
      const folders = strings.parse(owner, key, value);
      if (folders.every((folder) => folder.startsWith("/") && !hasParentStep(folder))) {
        return folders;
      }
      throw argumentInvalid(`The option ${key} of ${owner} must contain absolute paths without ..`);
    },
  };
}

function hasParentStep(path: string): boolean {
  return path.split("/").includes("..");
}

function isIn(path: string, folder: string): boolean {
  const names = namesIn(path);
  return path.startsWith("/") && namesIn(folder).every((name, index) => names[index] === name);
}

/** Splits a path into names: `/var//www/./shop/` has the names var, www and shop. */
function namesIn(path: string): string[] {
  return path.split("/").filter((name) => name !== "" && name !== ".");
}
