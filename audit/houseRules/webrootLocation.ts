import { argumentInvalid } from "../../provider/errors/argumentInvalid.js";
import { displayList, displayText } from "../../provider/errors/displayText.js";
import { compareValues } from "../../provider/model/compareValues.js";
import { groupBy } from "../../provider/model/groupBy.js";
import type { AuditedProject } from "../rules/auditedProject.js";
import { exampleProject, houseRule, type HouseRuleFactory } from "../rules/houseRule.js";
import { indeterminate, type Problem, violated } from "../rules/problem.js";
import { type RuleOption, stringsOption } from "../rules/ruleOptions.js";
import type { ScopeOptions } from "../rules/ruleScope.js";

/** Options of `webrootLocation`. */
export interface WebrootLocationOptions extends ScopeOptions {
  /** Folders that may contain webroots, as absolute paths. Default `["/var/www"]`. */
  folders?: readonly string[] | undefined;
}

/**
 * Requires that every webroot is inside an allowed folder, not in a folder `.git`, and not in the folder
 * of another project.
 *
 * The rule compares whole names: `/var/www-old` is not in `/var/www`. A path with `..` is in no folder,
 * wherever it leads. An allowed folder itself is no webroot. The folder of a project is the part of its
 * webroot up to a folder with the project's name, or the webroot. Only webroots of the same deployment
 * target group are compared.
 *
 * The state is `unknown` if the service shows no webroot, unless it says that the project has no code.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` for unknown or invalid options.
 */
export const webrootLocation: HouseRuleFactory<WebrootLocationOptions> = houseRule({
  key: "webrootLocation",
  options: { folders: foldersOption() },
  define: ({ folders }) => ({
    name: "webroot-location",
    description: `Every webroot is in a folder of its project in ${displayList(folders)}.`,
    reason:
      "In another place, a web server may serve files that others can read or that nobody meant to serve.",
    remedy: `Move the webroot to a folder of its project in ${displayList(folders)}, without .. and .git in its path.`,
    checkEnvironment: ({ webroot }, { hasCode }) => {
      if (!webroot) {
        if (hasCode === false) return [];
        return [indeterminate("The service does not show a webroot.", { subject: "webroot" })];
      }
      const problem = problemOf(webroot, folders);
      if (problem === undefined) return [];
      const subject = `webroot ${webroot}`;
      return [violated(`The webroot ${displayText(webroot, 200)} ${problem}.`, { subject })];
    },
    checkProjects: (projects) => foreignFolders(projects, folders),
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

function problemOf(webroot: string, folders: readonly string[]): string | undefined {
  if (hasParentStep(webroot)) return "has .. in its path";
  const names = namesIn(webroot);
  const start = webroot.startsWith("/") ? allowedStart(names, folders) : undefined;
  if (start === undefined) return "is not in an allowed folder";
  if (start === names.length) return "is an allowed folder itself, which all projects share";
  return names.includes(".git") ? "is in a folder .git" : undefined;
}

/** Returns how many names of the path are those of the outermost allowed folder. */
function allowedStart(names: readonly string[], folders: readonly string[]): number | undefined {
  const lengths = folders
    .map(namesIn)
    .filter((folder) => folder.every((name, index) => names[index] === name))
    .map(({ length }) => length);
  return lengths.length === 0 ? undefined : Math.min(...lengths);
}

function hasParentStep(path: string): boolean {
  return path.split("/").includes("..");
}

/** Splits a path into names: `/var//www/./shop/` has the names var, www and shop. */
function namesIn(path: string): string[] {
  return path.split("/").filter((name) => name !== "" && name !== ".");
}

/** A webroot in an allowed folder. */
interface Webroot {
  readonly project: AuditedProject;
  readonly environmentId: string;
  readonly path: string;
  /** Each path from an allowed folder, without it, to the webroot. */
  readonly parents: readonly string[];
  /** The deployment target group. */
  readonly group: string | undefined;
}

/** Finds webroots that are in the folder of another project. */
function foreignFolders(
  projects: readonly AuditedProject[],
  folders: readonly string[],
): Problem[] {
  // The subject of a finding must not depend on the order of the list.
  const webroots = projects
    .flatMap((project) => webrootsOf(project, folders))
    .sort((a, b) => compareValues(a.project.projectId, b.project.projectId));
  const byFolder = groupBy(webroots, folderOf);
  return webroots.flatMap((webroot) => {
    for (const folder of webroot.parents) {
      const owner = otherOwner(webroot, folder, byFolder.get(folder) ?? []);
      if (owner !== undefined) return [foreignFolder(webroot, folder, owner)];
    }
    return [];
  });
}

/** Returns the webroot of another project that owns the folder, if possible on the same server. */
function otherOwner(
  { project, group }: Webroot,
  folder: string,
  owners: readonly Webroot[],
): Webroot | undefined {
  const others = owners.filter(
    (other) =>
      other.project !== project &&
      (other.project.name !== project.name || folder === other.parents.at(-1)) &&
      (group === undefined || other.group === undefined || other.group === group),
  );
  return others.find((other) => other.group === group) ?? others[0];
}

function foreignFolder(webroot: Webroot, folder: string, owner: Webroot): Problem {
  const { project, environmentId, path, group } = webroot;
  const { projectId, name } = owner.project;
  const message = `The webroot ${displayText(path, 200)} is in the folder ${displayText(folder, 200)} of project ${displayText(name)} (${displayText(projectId)}).`;
  const about = {
    projectId: project.projectId,
    environmentId,
    subject: `webroot ${path} in ${folder} of ${projectId}`,
  };
  if (group !== undefined && owner.group === group) return violated(message, about);
  return indeterminate(
    `${message} The service does not say whether both are on the same server, because it omits a deployment target group.`,
    about,
  );
}

function webrootsOf(project: AuditedProject, folders: readonly string[]): Webroot[] {
  return project.environments.flatMap(({ environmentId, webroot, deploymentTargetGroupIds }) => {
    if (!webroot || problemOf(webroot, folders) !== undefined) return [];
    const names = namesIn(webroot);
    const first = allowedStart(names, folders) as number; // it has no problem
    const parents = names
      .slice(first)
      .map((_, index) => `/${names.slice(0, first + index + 1).join("/")}`);
    const group = deploymentTargetGroupIds?.code ?? undefined;
    return [{ project, environmentId, path: webroot, parents, group }];
  });
}

/** Returns the folder of the project with this webroot. */
function folderOf({ project, parents }: Webroot): string {
  return (
    parents.findLast((path) => path.endsWith(`/${project.name}`)) ?? (parents.at(-1) as string)
  );
}
