import { listed, shown } from "../../provider/shown.js";
import { defineRule, type Rule, unknown, violated } from "../rule.js";
import { checkOptions, optionInvalid, textsOption } from "../ruleOptions.js";

export interface WebrootLocationOptions {
  /** Folders in which webroots may be, as absolute paths. Default `["/var/www"]`. */
  folders?: readonly string[] | undefined;
}

/**
 * Every webroot is in one of the allowed folders, or is one of them.
 *
 * Whole names count: `/var/www-old` is not in `/var/www`. A path with `..` is in no folder, wherever
 * it leads. Unknown where the service shows no webroot, unless it says that the project has no code.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` for options that are unknown or wrong.
 */
export function webrootLocation(options: WebrootLocationOptions = {}): Rule {
  checkOptions("webrootLocation", options, ["folders"]);
  const folders = textsOption("webrootLocation", "folders", options.folders ?? ["/var/www"]);
  if (!folders.every((folder) => folder.startsWith("/") && !climbs(folder))) {
    throw optionInvalid("webrootLocation needs absolute paths without .. as folders.");
  }
  return defineRule({
    name: "webroot-location",
    description: `Every webroot is in ${listed(folders)}.`,
    reason:
      "What a web server serves from another place may be readable by others, or never meant to be served.",
    remedy: `Move the webroot to a folder in ${listed(folders)}, without .. in its path.`,
    ofEnvironment: ({ webroot }, { hasCode }) => {
      if (!webroot) {
        return hasCode === false ? [] : [unknown("The service does not show a webroot.")];
      }
      if (climbs(webroot)) return [violated(`The webroot ${shown(webroot)} has .. in its path.`)];
      return folders.some((folder) => isIn(webroot, folder))
        ? []
        : [violated(`The webroot ${shown(webroot)} is in another place.`)];
    },
  });
}

function climbs(path: string): boolean {
  return path.split("/").includes("..");
}

function isIn(path: string, folder: string): boolean {
  const names = namesIn(path);
  return path.startsWith("/") && namesIn(folder).every((name, index) => names[index] === name);
}

/** `/var//www/./shop/` has the names var, www and shop. */
function namesIn(path: string): string[] {
  return path.split("/").filter((name) => name !== "" && name !== ".");
}
