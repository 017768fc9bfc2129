/*
 * Parts of a project that were recorded and that the response now lacks. A server with an older version of the service,
 * or a user who may see less, omits them. A program would then delete what it makes for them.
 */
import type { Project } from "../model/project.js";

/** The parts, each with the flag of the project that says whether it has them at all. */
const projectParts = { codeRepository: "hasCode", environments: undefined } as const;
const environmentParts = {
  databases: "hasDatabases",
  assetGroups: "hasAssets",
  symLinks: "hasAssets",
} as const;

/** Returns the paths of the parts that a project no longer has, although no flag says so. */
export function missingParts(before: Partial<Project>, after: Partial<Project>): string[] {
  const missingIn = (
    parts: Readonly<Record<string, "hasCode" | "hasDatabases" | "hasAssets" | undefined>>,
    was: object,
    is: { readonly missingFields?: readonly string[] } | undefined,
  ) =>
    Object.entries(parts).flatMap(([part, flag]) => {
      const had = Object.keys((was as Record<string, object | undefined>)[part] ?? {}).length > 0;
      const isOmitted = is?.missingFields?.includes(part) === true;
      return had && isOmitted && (flag === undefined || after[flag] !== false) ? [part] : [];
    });
  const missing = missingIn(projectParts, before, after);
  if (missing.includes("environments")) return missing;
  const inEnvironments = (before.environments ?? []).flatMap((environment) => {
    const { environmentId } = environment;
    const now = after.environments?.find((each) => each.environmentId === environmentId);
    const parts = missingIn(environmentParts, environment, now);
    return parts.map((part) => `environments[${environmentId}].${part}`);
  });
  return [...missing, ...inEnvironments];
}
