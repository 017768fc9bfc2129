/* What the state and the engine know of both resources. */
import { projectFields } from "../model/projectFields.js";
import type { Project } from "../model/project.js";

/** The resource type of a ProjectSnapshot, in states and for policies. */
export const projectSnapshotType = "pulumi-nodejs:dynamic/project-service:ProjectSnapshot";

/** The resource type of a ProjectsSnapshot, in states and for policies. */
export const projectsSnapshotType = "pulumi-nodejs:dynamic/project-service:ProjectsSnapshot";

/** The id of every ProjectsSnapshot in the state. */
export const projectsSnapshotId = "projects";

/**
 * Returns the text that Pulumi keeps in the state for a dynamic provider. It is a constant, so that
 * neither a compiler nor a version of this package shows as a change. It loads the package from the
 * program's folder.
 *
 * If the package is missing, a snapshot can still be deleted. Every other operation fails. For some
 * failures, Pulumi prints `${error}: ${error.stack}` before the message. Both are short here, so that
 * the message is printed once.
 *
 * This text is final: it is in every state, and a change would show as an update of every snapshot.
 */
const providerText = (resource: string, factory: string) =>
  `exports.handler=()=>{try{return require("module").createRequire(process.cwd()+"/")` +
  `("pulumi-project-service/dynamic-provider").${factory}()}catch(e){let f=async()=>{` +
  `throw Object.assign(Error("${resource} needs its package in the program's folder: ` +
  `npm install pulumi-project-service ("+e.message.split("\\n")[0]+")"),` +
  `{stack:"no package",toString:()=>"${resource}"})};` +
  `return{check:f,diff:f,create:f,update:f,read:f,delete:async()=>{}}}}`;

/** The provider of a ProjectSnapshot, as the state has it. */
export const serializedProvider = providerText("ProjectSnapshot", "createProvider");

/** The provider of a ProjectsSnapshot, as the state has it. */
export const serializedProjectsProvider = providerText(
  "ProjectsSnapshot",
  "createProjectsProvider",
);

/** The properties of a ProjectSnapshot that the service decides. */
export const projectSnapshotKeys = [
  ...(Object.keys(projectFields) as (keyof Project)[]),
  "service",
  "account",
  "credentials",
] as const;

/** The properties of a ProjectsSnapshot that the service decides. */
export const projectsSnapshotKeys = [
  "projects",
  "inaccessible",
  "service",
  "account",
  "credentials",
] as const;

/** The properties of both resources that the program does not decide. */
export const resultKeys: ReadonlySet<string> = new Set([
  ...projectSnapshotKeys,
  ...projectsSnapshotKeys,
  "fieldsVersion",
]);
