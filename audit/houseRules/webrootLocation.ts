import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import { displayList, displayText } from "../../provider/errors/displayText.js";
import { compareValues } from "../../provider/model/selection.js";
import { groupBy } from "../../provider/model/groupBy.js";
import type { AuditedProject } from "../rules/auditedProject.js";
import { exampleOfLive, houseRule } from "../rules/houseRule.js";
import { indeterminate, type Problem, violated } from "../rules/problem.js";
import { type RuleOption, stringsOption } from "../rules/ruleOptions.js";
import type { ScopeOptions } from "../rules/ruleScope.js";
import { subjectValue } from "./subjectValue.js";

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
 * wherever it leads. No webroot is an allowed folder itself, or contains one.
 *
 * The folder of a project is the part of its webroot up to the first folder with the project's name, or
 * the webroot. Projects with the same name share such a folder, but no webroot is the webroot of another
 * project or inside it. A folder that contains an allowed folder belongs to no project. The rule compares
 * all absolute webroots without `..` that have the same deployment target group.
 *
 * The state is `unknown` if the service shows no webroot, unless it says that the project has no code.
 * It is also `unknown` if the service omits a deployment target group of two webroots that are in
 * conflict on the same server.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` for unknown or invalid options.
 */
export const webrootLocation = houseRule<WebrootLocationOptions>({
  key: "webrootLocation",
  options: { folders: foldersOption() },
  needs: ["environments.webroot"],
  mayNeed: ["hasCode"],
  concerns: ({ hasCode, environments }) =>
    hasCode !== false || environments.some(({ webroot }) => webroot),
  define: ({ folders }) => ({
    name: "webroot-location",
    description: `Every webroot is in a folder of its project in ${displayList(folders)}.`,
    reason:
      "In another place, a web server may serve files that others can read or that nobody meant to serve. In the folder of another project, two projects can overwrite each other's files.",
    remedy: `Move the webroot to a folder of its project in ${displayList(folders)}, without .. and .git in its path.`,
    checkEnvironment: ({ webroot }, { hasCode }) => {
      if (!webroot) {
        if (hasCode === false) return [];
        return [indeterminate("The service does not show a webroot.", { subject: "webroot" })];
      }
      const problem = problemOf(webroot, folders);
      if (problem === undefined) return [];
      const subject = `webroot ${subjectValue(webroot)}`;
      return [violated(`The webroot ${displayText(webroot, 200)} ${problem}.`, { subject })];
    },
    checkProjects: (projects) => foreignFolders(projects, folders),
  }),
  examples: {
    violating: exampleOfLive({ webroot: "/home/jane/shop" }),
    passing: exampleOfLive({ webroot: "/var/www/shop/live/current/public" }),
  },
});

function foldersOption(): RuleOption<readonly string[]> {
  return stringsOption<readonly string[]>(
    "Folders that may contain webroots, as absolute paths.",
    ["/var/www"],
    (option, folders) => {
      if (folders.every((folder) => folder.startsWith("/") && !hasParentStep(folder))) return;
      throw argumentInvalid(`The ${option} must contain absolute paths without ..`);
    },
  );
}

function problemOf(webroot: string, folders: readonly string[]): string | undefined {
  if (hasParentStep(webroot)) return "has .. in its path";
  const path = normalPath(webroot);
  const allowed = folders.map(normalPath);
  if (!webroot.startsWith("/") || !allowed.some((folder) => contains(folder, path))) {
    return "is not in an allowed folder";
  }
  if (allowed.some((folder) => contains(path, folder))) {
    return "is or contains an allowed folder, which all projects share";
  }
  return path.split("/").includes(".git") ? "is in a folder .git" : undefined;
}

function hasParentStep(path: string): boolean {
  return path.split("/").includes("..");
}

/** Returns an absolute path without empty names: `/var/www/shop` for `/var//www/./shop/`. */
function normalPath(path: string): string {
  const names = path.split("/").filter((name) => name !== "" && name !== ".");
  return `/${names.join("/")}`;
}

/** Whether a path is a folder or in it. */
function contains(folder: string, path: string): boolean {
  return folder === "/" || path === folder || path.startsWith(`${folder}/`);
}

/** A webroot that can be compared with others. */
interface Webroot {
  readonly project: AuditedProject;
  readonly environmentId: string;
  /** As the service shows it. */
  readonly shown: string;
  readonly path: string;
  /** The folders that contain the webroot and no allowed folder, from the first. The last is the webroot. */
  readonly folders: readonly string[];
  /** The deployment target group. */
  readonly group: string | undefined;
}

/** A folder of a project: the one with its name, or its webroot. */
interface OwnedFolder {
  readonly folder: string;
  readonly owner: Webroot;
}

/** Finds webroots that are in the folder of another project, with a problem for each such folder. */
function foreignFolders(
  projects: readonly AuditedProject[],
  allowed: readonly string[],
): Problem[] {
  // The message of a finding must not depend on the order of the list.
  const webroots = projects
    .flatMap((project) => webrootsOf(project, allowed.map(normalPath)))
    .sort((a, b) => compareValues(a.project.projectId, b.project.projectId));
  const owned = webroots.flatMap((owner): OwnedFolder[] =>
    [...new Set([folderOf(owner), owner.path])].map((folder) => ({ folder, owner })),
  );
  const byFolder = groupBy(owned, ({ folder }) => folder);
  return webroots.flatMap((webroot) =>
    webroot.folders.flatMap((folder) => foreignFolder(webroot, folder, byFolder.get(folder) ?? [])),
  );
}

const maxNamed = 5;

/**
 * Returns the problem of a webroot that is in a folder of other projects. Its subject does not name them:
 * otherwise each new project could make the finding new.
 */
function foreignFolder(webroot: Webroot, folder: string, owned: readonly OwnedFolder[]): Problem[] {
  const { project, environmentId, shown, group } = webroot;
  const certain = new Set<AuditedProject>();
  const possible = new Set<AuditedProject>();
  for (const { owner } of owned) {
    if (certain.size > maxNamed) break;
    if (owner.project === project) continue;
    if (owner.project.name === project.name && owner.path !== folder) continue;
    if (group === undefined || owner.group === undefined) possible.add(owner.project);
    else if (owner.group === group) certain.add(owner.project);
  }
  const others = certain.size > 0 ? certain : possible;
  if (others.size === 0) return [];
  const message = `The webroot ${displayText(shown, 200)} is in the folder ${displayText(folder, 200)} of ${displayProjects([...others])}.`;
  const server = group === undefined ? "" : ` on ${subjectValue(group)}`;
  const about = {
    projectId: project.projectId,
    environmentId,
    subject: `webroot ${subjectValue(shown)} in ${subjectValue(folder)}${server}`,
  };
  if (certain.size > 0) return [violated(message, about)];
  return [
    indeterminate(
      `${message} The service does not say whether they are on the same server, because it omits a deployment target group.`,
      about,
    ),
  ];
}

function displayProjects(projects: readonly AuditedProject[]): string {
  const names = projects
    .slice(0, maxNamed)
    .map(({ name, projectId }) => `${displayText(name)} (${displayText(projectId)})`);
  if (names.length === 1) return `project ${names[0]}`;
  return `the projects ${names.join(", ")}${projects.length > maxNamed ? " and others" : ""}`;
}

function webrootsOf(project: AuditedProject, allowed: readonly string[]): Webroot[] {
  return project.environments.flatMap(({ environmentId, webroot, deploymentTargetGroupIds }) => {
    if (!webroot?.startsWith("/") || hasParentStep(webroot)) return [];
    const path = normalPath(webroot);
    const names = path.split("/");
    const folders = names
      .map((_, index) => names.slice(0, index + 1).join("/"))
      .filter((folder) => folder !== path && !allowed.some((other) => contains(folder, other)));
    const group = deploymentTargetGroupIds?.code ?? undefined;
    return [{ project, environmentId, shown: webroot, path, folders: [...folders, path], group }];
  });
}

/** Returns the folder of the project with this webroot. */
function folderOf({ project, folders, path }: Webroot): string {
  return folders.find((folder) => folder.endsWith(`/${project.name}`)) ?? path;
}
