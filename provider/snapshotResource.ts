/** Type of the resource, as it stands in states and is given to policies. */
export const projectSnapshotType = "pulumi-nodejs:dynamic/project-service:ProjectSnapshot";

/**
 * What Pulumi keeps of a dynamic provider in the state: a constant, so that neither a compiler nor
 * a version of the package shows up as a change. Resolves from the program's folder.
 *
 * Where the package is missing, deleting a snapshot still works, for it needs nothing of the
 * package. Every other operation fails. Pulumi prints `${error}: ${error.stack}` of some failures
 * before it prints the message: those two are short, so that the message stands there once.
 *
 * This text is state. Changing it shows as an update of every snapshot.
 */
export const serializedProvider =
  `exports.handler=()=>{try{return require("module").createRequire(process.cwd()+"/")` +
  `("pulumi-project-service/dynamic-provider").createProvider()}catch(e){let f=async()=>{` +
  `throw Object.assign(Error("ProjectSnapshot needs its package in the program's folder: ` +
  `npm install pulumi-project-service ("+e.message.split("\\n")[0]+")"),` +
  `{stack:"no package",toString:()=>"ProjectSnapshot"})};` +
  `return{check:f,diff:f,create:f,update:f,read:f,delete:async()=>{}}}}`;
