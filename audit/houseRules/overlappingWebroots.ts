import { posix } from "node:path";
import { displayText } from "../../provider/errors/displayText.js";
import type { AuditedProject } from "../rules/auditedProject.js";
import type { Problem } from "../rules/rule.js";
import { subjectValue } from "../rules/finding.js";
import { environmentName, type Sharer, sharedUses, type Use } from "./sharedUses.js";

/** A webroot. Its key is another webroot that contains it, or its own path. */
interface WebrootUse extends Use {
  readonly path: string;
}

/** Returns a problem for each webroot that equals, contains or is inside a webroot of another sharer. */
export function overlappingWebroots(
  projects: readonly AuditedProject[],
  sharer: Sharer,
): Problem[] {
  const webroots = projects.flatMap(webrootsOf);
  const paths = new Set(webroots.map(({ path }) => path));
  const uses = webroots.flatMap((webroot) =>
    foldersOf(webroot.path)
      .filter((folder) => paths.has(folder))
      .map((key) => ({ ...webroot, key })),
  );
  const isOuter = ({ key, path }: WebrootUse) => key === path;
  return sharedUses(uses, sharer, groupOf, (use, users) => {
    // Two webroots inside a third one do not overlap with each other.
    const overlaps = (other: WebrootUse) =>
      other[sharer] !== use[sharer] && (isOuter(use) || isOuter(other));
    if (!users.some(overlaps)) return undefined;
    return {
      message: `The webroot ${displayText(use.path, 200)} overlaps with`,
      subject: `webroot ${subjectValue(use.path)} in ${subjectValue(use.key)}`,
    };
  });
}

function webrootsOf(project: AuditedProject): WebrootUse[] {
  return project.environments.flatMap((environment) => {
    const webroot = "webroot" in environment ? environment.webroot : undefined;
    if (!webroot || !isAbsolute(webroot)) return [];
    const path = normalPath(webroot);
    const user = `${subjectValue(path)} of ${environmentName(project, environment)}`;
    return [{ project, environment, key: path, user, path }];
  });
}

function groupOf({ environment }: WebrootUse): string {
  return subjectValue(environment.deploymentTargetGroupIds?.code);
}

/** Whether a path is absolute, and `..` is not in it. */
export function isAbsolute(path: string): boolean {
  return path.startsWith("/") && !path.split("/").includes("..");
}

/** Returns an absolute path without empty names: `/var/www/shop` for `/var//www/./shop/`. */
export function normalPath(path: string): string {
  return posix.resolve("/", path);
}

/** Whether a path is a folder or in it. */
export function isInside(path: string, folder: string): boolean {
  return folder === "/" || path === folder || path.startsWith(`${folder}/`);
}

/** Returns `/`, `/var` and `/var/www` for `/var/www`. */
function foldersOf(path: string): string[] {
  const names = path.split("/").filter((name) => name !== "");
  return ["/", ...names.map((_, index) => `/${names.slice(0, index + 1).join("/")}`)];
}
