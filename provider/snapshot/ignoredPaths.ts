/* The paths of Pulumi's option `ignoreChanges`, such as `projects["p-1"]`. The key `*` stands for every key. */

/** Whether a path names a property, or something around it. */
export function isIgnored(path: string, property: readonly string[]): boolean {
  const keys = keysOf(path);
  return (
    keys.length <= property.length &&
    keys.every((key, index) => key === "*" || key === property[index])
  );
}

/**
 * Whether a ProjectsSnapshot refuses a path. Inside a text, the engine would ignore nothing. And `project` together
 * with `environments` would leave nothing to compare.
 */
export function isInsideText(path: string): boolean {
  const [root, , part, ...inner] = keysOf(path);
  if (root === "credentials") return keysOf(path).length > 1;
  if (root !== "projects" || part === undefined) return false;
  return part !== "environments" || inner.length !== 1;
}

/**
 * Whether a ProjectSnapshot refuses a path: one in a list, where the engine counts positions, so that another
 * environment's value would stay recorded, and one in the credentials.
 */
export function isInsideList(path: string): boolean {
  const [root = "", ...inner] = keysOf(path);
  return inner.length > 0 && ["environments", "missingFields", "credentials", "*"].includes(root);
}

function keysOf(path: string): string[] {
  const keys = path.matchAll(/\["((?:\\"|[^"])*)"\]|\[([^\]]*)\]|([^.[\]]+)/g);
  return [...keys].map(
    ([, quoted, index, name]) => quoted?.replaceAll('\\"', '"') ?? index ?? name ?? "",
  );
}
