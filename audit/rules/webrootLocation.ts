import { displayList, displayText } from "../../provider/errors/displayText.js";
import { defineRule, indeterminate, type Rule, violated } from "./rule.js";
import { checkOptions, invalidOption, stringsOption } from "./ruleOptions.js";

/** Options of `webrootLocation`. */
export interface WebrootLocationOptions {
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
export function webrootLocation(options: WebrootLocationOptions = {}): Rule {
  checkOptions("webrootLocation", options, ["folders"]);
  const folders = stringsOption("webrootLocation", "folders", options.folders ?? ["/var/www"]);
  if (!folders.every((folder) => folder.startsWith("/") && !hasParentStep(folder))) {
    throw invalidOption(
      "The option folders of webrootLocation must contain absolute paths without ..",
    );
  }
  return defineRule({
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
  });
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
