import { displayText } from "../../provider/errors/displayText.js";
import { compareValues } from "../../provider/model/selection.js";
import { groupBy } from "../../provider/model/groupBy.js";
import type { AuditedProject } from "../rules/auditedProject.js";
import { exactText } from "../rules/finding.js";
import { type Problem, violated } from "../rules/problem.js";
import { subjectValue } from "../rules/subjectValue.js";
import { displayNames, nameOf, type Neighbor } from "./neighbors.js";

interface Webroot extends Neighbor {
  readonly path: string;
}

/** A webroot, and for each path that overlaps with it the webroots there, of which some have another owner. */
interface Overlap {
  readonly webroot: Webroot;
  readonly others: readonly (readonly Webroot[])[];
}

/**
 * Returns a problem for each webroot that equals, contains or is inside a webroot of another owner in the
 * same deployment target group. Its subject names all of them: with another one it is a new finding.
 */
export function overlappingWebroots(
  projects: readonly AuditedProject[],
  ownerOf: (webroot: Webroot) => object,
): Problem[] {
  const webroots = projects.flatMap(webrootsOf);
  // Messages must not depend on the order of the projects.
  webroots.sort((one, other) => compareValues(nameOf(one), nameOf(other)));
  const overlapping = overlapsOf(webroots, ownerOf);
  // The group makes a difference only if webroots overlap, so only then it may not be missing.
  const groups = groupBy(
    overlapping.map(({ webroot }) => webroot),
    groupOf,
  );
  return [...groups.values()].flatMap((group) => problemsOf(overlapsOf(group, ownerOf)));
}

function webrootsOf(project: AuditedProject): Webroot[] {
  return project.environments.flatMap((environment) => {
    const webroot = "webroot" in environment ? environment.webroot : undefined;
    if (!webroot?.startsWith("/") || hasParentStep(webroot)) return [];
    return [{ project, environment, path: normalPath(webroot) }];
  });
}

function groupOf({ environment }: Webroot): string | null | undefined {
  return environment.deploymentTargetGroupIds?.code;
}

function overlapsOf(
  webroots: readonly Webroot[],
  ownerOf: (webroot: Webroot) => object,
): Overlap[] {
  const byPath = groupBy(webroots, ({ path }) => path);
  const near = new Map([...byPath.keys()].map((path) => [path, new Set([path])]));
  for (const [path, own] of near) {
    const names = path.split("/");
    for (const folder of names.map((_, index) => names.slice(0, index).join("/") || "/")) {
      const outer = near.get(folder);
      if (outer === undefined) continue;
      outer.add(path);
      own.add(folder);
    }
  }
  return webroots.flatMap((webroot) => {
    const owner = ownerOf(webroot);
    const others = [...(near.get(webroot.path) ?? [])]
      .map((path) => byPath.get(path) ?? [])
      .filter((there) => there.some((other) => ownerOf(other) !== owner));
    return others.length === 0 ? [] : [{ webroot, others }];
  });
}

function problemsOf(overlaps: readonly Overlap[]): Problem[] {
  // Webroots at one path have the same text, which may be long.
  const texts = new Map<readonly Webroot[], string>();
  const textOf = (there: readonly Webroot[]): string => {
    const text = texts.get(there) ?? exactText(there.map(nameWithPath).join(", "));
    texts.set(there, text);
    return text;
  };
  return overlaps.map(({ webroot, others }) => {
    const { project, environment, path } = webroot;
    const names = others.flatMap((there) =>
      there
        .slice(0, 7)
        .filter((other) => other !== webroot)
        .map(nameWithPath),
    );
    const shown = displayText(path, 200);
    const message = `The webroot ${shown} is equal to another one, contains it or is inside it: ${displayNames(names)}.`;
    return violated(message, {
      projectId: project.projectId,
      environmentId: environment.environmentId,
      subject: `webroot ${subjectValue(path)} overlaps with ${others.map(textOf).sort().join(", ")}`,
    });
  });
}

function nameWithPath(webroot: Webroot): string {
  return `${subjectValue(webroot.path)} of ${nameOf(webroot)}`;
}

/** Returns an absolute path without empty names: `/var/www/shop` for `/var//www/./shop/`. */
export function normalPath(path: string): string {
  const names = path.split("/").filter((name) => name !== "" && name !== ".");
  return `/${names.join("/")}`;
}

export function hasParentStep(path: string): boolean {
  return path.split("/").includes("..");
}
