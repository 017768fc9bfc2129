/** The resource type of a ProjectSnapshot, in states and for policies. */
export const projectSnapshotType = "pulumi-nodejs:dynamic/project-service:ProjectSnapshot";

/**
 * The text that Pulumi keeps in the state for the dynamic provider. It is a constant, so that neither
 * a compiler nor a version of this package shows as a change. It loads the package from the program's
 * folder.
 *
 * If the package is missing, a snapshot can still be deleted. Every other operation fails. For some
 * failures, Pulumi prints `${error}: ${error.stack}` before the message. Both are short here, so that
 * the message is printed once.
 *
 * This text is state: a change shows as an update of every snapshot.
 */
export const serializedProvider =
  `exports.handler=()=>{try{return require("module").createRequire(process.cwd()+"/")` +
  `("pulumi-project-service/dynamic-provider").createProvider()}catch(e){let f=async()=>{` +
  `throw Object.assign(Error("ProjectSnapshot needs its package in the program's folder: ` +
  `npm install pulumi-project-service ("+e.message.split("\\n")[0]+")"),` +
  `{stack:"no package",toString:()=>"ProjectSnapshot"})};` +
  `return{check:f,diff:f,create:f,update:f,read:f,delete:async()=>{}}}}`;
