/** Type of the resource, as it stands in states and is given to policies. */
export const projectSnapshotType = "pulumi-nodejs:dynamic/project-service:ProjectSnapshot";

/**
 * What Pulumi keeps of a dynamic provider in the state: a constant, so that neither a compiler nor
 * a version of the package shows up as a change. Resolves from the program's folder.
 */
export const serializedProvider =
  `exports.handler=()=>{try{return require("module").createRequire(process.cwd()+"/")` +
  `("pulumi-project-service/dynamic-provider").createProvider()}catch(e){` +
  `e.stack=e.message="ProjectSnapshot needs its package in the program's folder: ` +
  `npm install pulumi-project-service ("+e.message.split("\\n")[0]+")";throw e}}`;
