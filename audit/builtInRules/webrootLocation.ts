import { posix } from "node:path";
import { displayList, displayText } from "../../provider/errors/displayText.js";
import type { AuditedProject } from "../rules/auditedProject.js";
import { undecided, type Problem, type Rule, violated } from "../rules/rule.js";
import {
  checkOptions,
  isTextList,
  type Requirement,
  type RuleOptions,
} from "../rules/defineRule.js";
import { subjectValue } from "../rules/finding.js";
import { environmentName, type OwnerKind, sharedUses, type Usage } from "./sharedUses.js";

interface WebrootLocationOptions extends RuleOptions {
  /** Folders that may contain webroots, as absolute paths. Default `["/var/www"]`. */
  folders?: readonly string[] | undefined;
}

const absolutePaths: Requirement = {
  text: 'a list of one or more absolute paths without ".."',
  isMet: (value) => isTextList(value) && value.every(isAbsolute),
};

/**
 * Requires that every webroot is inside an allowed folder, without `..` and `.git` in its path, and that no two
 * webroots of one deployment target group are equal or one inside the other. No webroot is an allowed folder
 * itself, or contains one. Only absolute webroots without `..` are compared. A project without code needs none.
 */
export function webrootLocation(options: WebrootLocationOptions = {}): Rule {
  const common = checkOptions("webrootLocation", options, { folders: absolutePaths });
  const { folders = ["/var/www"] } = options;
  const allowed = folders.map(normalPath);
  return {
    name: "webroot-location",
    ...common,
    description: `Every webroot is inside ${displayList(folders)}, and no webroot is inside another.`,
    reason:
      "In another place, a web server may serve files that others can read or that nobody meant to serve. If one webroot is in another, two deployments can overwrite each other's files.",
    remedy: `Move the webroot to a separate folder in ${displayList(folders)}, without .. and .git in its path.`,
    checkEnvironment: (environment, project) => {
      const hasNone = !("webroot" in environment) || environment.webroot === "";
      if (hasNone && project.hasCode === false) return [];
      const { webroot } = environment;
      if (webroot === "") return [undecided("The webroot is empty.", { subject: "webroot" })];
      if (!webroot) return [];
      const problem = misplacement(webroot, allowed);
      if (problem === undefined) return [];
      const subject = `webroot ${subjectValue(webroot)}`;
      return [violated(`The webroot ${displayText(webroot, 200)} ${problem}.`, { subject })];
    },
    checkProject: (project) => overlappingWebroots([project], "environment", common.environments),
    checkProjects: (projects) => overlappingWebroots(projects, "project", common.environments),
  };
}

function misplacement(webroot: string, allowed: readonly string[]): string | undefined {
  if (webroot.split("/").includes("..")) return "has .. in its path";
  const path = normalPath(webroot);
  if (!isAbsolute(webroot) || !allowed.some((folder) => isInside(path, folder))) {
    return "is not in an allowed folder";
  }
  if (allowed.some((folder) => isInside(folder, path))) {
    return "is or contains an allowed folder, which all projects share";
  }
  return path.toLowerCase().split("/").includes(".git") ? "is in a .git folder" : undefined;
}

/** A webroot. Its key is another webroot that contains it, or its own path. */
interface WebrootUsage extends Usage {
  readonly path: string;
}

function overlappingWebroots(
  projects: readonly AuditedProject[],
  kind: OwnerKind,
  checkedIds: readonly string[] | undefined,
): Problem[] {
  const webroots = projects.flatMap(webrootsOf);
  const paths = new Set(webroots.map(({ path }) => path));
  const usages = webroots.flatMap((webroot) =>
    foldersOf(webroot.path)
      .filter((folder) => paths.has(folder))
      .map((key) => ({ ...webroot, key })),
  );
  const isOuter = ({ key, path }: WebrootUsage) => key === path;
  return sharedUses(usages, kind, checkedIds, groupOf, (usage, sharing) => {
    // Two webroots inside a third one do not overlap with each other.
    const overlaps = (other: WebrootUsage) =>
      other[kind] !== usage[kind] && (isOuter(usage) || isOuter(other));
    if (!sharing.some(overlaps)) return undefined;
    return {
      message: `The webroot ${displayText(usage.path, 200)} shares the folder ${displayText(usage.key, 200)} with`,
      subject: `webroot ${subjectValue(usage.path)} in ${subjectValue(usage.key)}`,
    };
  });
}

function webrootsOf(project: AuditedProject): WebrootUsage[] {
  return project.environments.flatMap((environment) => {
    const webroot = "webroot" in environment ? environment.webroot : undefined;
    if (!webroot || !isAbsolute(webroot)) return [];
    const path = normalPath(webroot);
    const owner = `${subjectValue(path)} of ${environmentName(project, environment)}`;
    return [{ project, environment, key: path, owner, path }];
  });
}

function groupOf({ environment }: WebrootUsage): string {
  return subjectValue(environment.deploymentTargetGroupIds?.code);
}

function isAbsolute(path: string): boolean {
  return path.startsWith("/") && !path.split("/").includes("..");
}

/** Returns an absolute path without empty names: `/var/www/shop` for `/var//www/./shop/`. */
function normalPath(path: string): string {
  return posix.resolve("/", path);
}

function isInside(path: string, folder: string): boolean {
  return folder === "/" || path === folder || path.startsWith(`${folder}/`);
}

/** Returns `/`, `/var` and `/var/www` for `/var/www`. */
function foldersOf(path: string): string[] {
  const names = path.split("/").filter((name) => name !== "");
  return ["/", ...names.map((_, index) => `/${names.slice(0, index + 1).join("/")}`)];
}
