/* What the state and the engine know of both resources. */

/** The resource type of a ProjectSnapshot, in states and for policies. */
export const projectSnapshotType = "pulumi-nodejs:dynamic/project-service:ProjectSnapshot";

/** The resource type of a ProjectsSnapshot, in states and for policies. */
export const projectsSnapshotType = "pulumi-nodejs:dynamic/project-service:ProjectsSnapshot";

/** The id of every ProjectsSnapshot in the state. */
export const projectsSnapshotId = "projects";

/**
 * The text that Pulumi keeps in the state for the dynamic provider of both resources. It is a constant, so that
 * neither a compiler nor a version of this package shows as a change. It loads the package from the
 * program's folder.
 *
 * If the package is missing, a snapshot can still be deleted. Every other operation fails. For some
 * failures, Pulumi prints `${error}: ${error.stack}` before the message. Both are short here, so that
 * the message is printed once.
 *
 * This text is final: it is in every state, and a change would show as an update of every snapshot.
 */
export const serializedProvider =
  `exports.handler=()=>{try{return require("module").createRequire(process.cwd()+"/")` +
  `("pulumi-project-service/dynamic-provider").createProvider()}catch(e){let f=async()=>{` +
  `throw Object.assign(Error("A snapshot needs the package pulumi-project-service in the program's folder. ` +
  `Run npm ci there ("+e.message.split("\\n")[0]+")"),` +
  `{stack:"no package",toString:()=>"ProjectSnapshot or ProjectsSnapshot"})};` +
  `return{check:f,diff:f,create:f,update:f,read:f,delete:async()=>{}}}}`;

/**
 * Whether a path of the option `ignoreChanges` is refused. The engine compares a text as a whole, so it would ignore
 * nothing inside one, and it identifies elements of a list by position. `project` together with `environments` would leave
 * nothing to compare.
 */
export function isRefusedPath(type: "ProjectSnapshot" | "ProjectsSnapshot", path: string): boolean {
  const [root, , part, ...inner] = keysOf(path);
  if (root === "credentials") return keysOf(path).length > 1;
  if (type === "ProjectSnapshot" || root !== "projects") return true;
  if (part === undefined) return false;
  return part !== "environments" || inner.length !== 1;
}

/** Whether a path of `ignoreChanges`, such as `projects["p-1"]`, names a property, or something around it. */
export function isIgnored(path: string, property: readonly string[]): boolean {
  const keys = keysOf(path);
  return (
    keys.length <= property.length &&
    keys.every((key, index) => key === "*" || key === property[index])
  );
}

function keysOf(path: string): string[] {
  const keys = path.matchAll(/\["((?:\\"|[^"])*)"\]|\[([^\]]*)\]|([^.[\]]+)/g);
  return [...keys].map(
    ([, quoted, index, name]) => quoted?.replaceAll('\\"', '"') ?? index ?? name ?? "",
  );
}
