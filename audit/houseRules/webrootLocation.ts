import { displayList, displayText } from "../../provider/errors/displayText.js";
import { checkOptions, type OptionCheck, type ScopeOptions } from "../rules/houseRuleOptions.js";
import { isIdList } from "../rules/defineRule.js";
import { indeterminate, violated } from "../rules/problem.js";
import type { Rule } from "../rules/rule.js";
import { subjectValue } from "../rules/subjectValue.js";
import { hasParentStep, normalPath, overlappingWebroots } from "./overlappingWebroots.js";

/** Options of `webrootLocation`. */
export interface WebrootLocationOptions extends ScopeOptions {
  /** Folders that may contain webroots, as absolute paths. Default `["/var/www"]`. */
  folders?: readonly string[] | undefined;
}

const absolutePaths: OptionCheck = {
  requirement: "a list of absolute paths without ..",
  isValid: (value) =>
    isIdList(value) &&
    (value as string[]).every((folder) => folder.startsWith("/") && !hasParentStep(folder)),
};

/**
 * Requires that every webroot is inside an allowed folder, without `..` and `.git` in its path, and that
 * no two webroots of one deployment target group are equal or one inside the other.
 *
 * The rule compares whole names: `/var/www-old` is not in `/var/www`. No webroot is an allowed folder
 * itself, or contains one. Only absolute webroots without `..` are compared with each other. A project
 * without code needs no webroot.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` for unknown or invalid options.
 */
export function webrootLocation(options: WebrootLocationOptions = {}): Rule {
  checkOptions("webrootLocation", options, { folders: absolutePaths });
  const { environments, severity = "error", folders = ["/var/www"] } = options;
  return {
    name: "webroot-location",
    severity,
    environments,
    description: `Every webroot is inside ${displayList(folders)}, and not in another webroot.`,
    reason:
      "In another place, a web server may serve files that others can read or that nobody meant to serve. If one webroot is in another, two deployments can overwrite each other's files.",
    remedy: `Move the webroot to a folder of its own in ${displayList(folders)}, without .. and .git in its path.`,
    checkEnvironment: (environment, project) => {
      if (!("webroot" in environment) && project.hasCode === false) return [];
      const { webroot } = environment;
      if (!webroot) return [indeterminate("The webroot is empty.", { subject: "webroot" })];
      const problem = problemOf(webroot, folders.map(normalPath));
      if (problem === undefined) return [];
      const subject = `webroot ${subjectValue(webroot)}`;
      return [violated(`The webroot ${displayText(webroot, 200)} ${problem}.`, { subject })];
    },
    checkProject: (project) => overlappingWebroots([project], ({ environment }) => environment),
    checkProjects: (projects) => overlappingWebroots(projects, ({ project }) => project),
  };
}

function problemOf(webroot: string, folders: readonly string[]): string | undefined {
  if (hasParentStep(webroot)) return "has .. in its path";
  const path = normalPath(webroot);
  if (!webroot.startsWith("/") || !folders.some((folder) => isInside(path, folder))) {
    return "is not in an allowed folder";
  }
  if (folders.some((folder) => isInside(folder, path))) {
    return "is or contains an allowed folder, which all projects share";
  }
  return path.split("/").includes(".git") ? "is in a folder .git" : undefined;
}

function isInside(path: string, folder: string): boolean {
  return folder === "/" || path === folder || path.startsWith(`${folder}/`);
}
