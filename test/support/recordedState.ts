import { getProjectService } from "../../provider/reading/projectService.js";
import { recordProjects, type RecordScope } from "../../provider/snapshot/record.js";
import { projectsSnapshotId, projectsSnapshotType } from "../../provider/snapshot/resources.js";
import { settingsOf } from "./settings.js";

type Json = Record<string, unknown>;

/** Reads a service, and returns the outputs of a ProjectsSnapshot, as a program records them. */
export async function recordOf(connection: object, scope: RecordScope = {}): Promise<Json> {
  const service = getProjectService(settingsOf({ ...connection }));
  const outputs = await recordProjects(service, scope);
  return { ...scope, ...outputs };
}

/** Returns a ProjectsSnapshot as a state has it. */
export function snapshotResource(outputs: Json, { name = "fleet", ...more }: Json = {}): object {
  return {
    urn: `urn:pulumi:dev::hosting::${projectsSnapshotType}::${name as string}`,
    ...{ type: projectsSnapshotType, id: projectsSnapshotId, custom: true },
    ...{ inputs: outputs, outputs, modified: "2026-11-20T09:00:59Z" },
    ...more,
  };
}

/** Returns what `pulumi stack export` prints. */
export function stateWith(...resources: object[]): string {
  return JSON.stringify({ version: 3, deployment: { manifest: {}, resources } });
}
