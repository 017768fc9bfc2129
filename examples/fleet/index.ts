import { createHash } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";
import * as projectService from "pulumi-project-service";
import { readShare } from "./share";

/** By the id alone: the same on every machine, and as long as there are as many shards. */
function shardOf(projectId: string, shards: number): number {
  return createHash("sha256").update(projectId).digest().readUInt32BE() % shards;
}

// A function: Pulumi waits for what it awaits, so that a preview shows every snapshot.
export = async () => {
  const { shard, shards, includeCredentials } = readShare(new pulumi.Config());
  const { projects } = await projectService.getProjects();

  // Named by id: a project can get another name, and keeps its place in the state.
  const snapshots = projects
    .filter(({ projectId }) => shardOf(projectId, shards) === shard)
    .map(
      ({ projectId }) =>
        new projectService.ProjectSnapshot(projectId, { projectId, includeCredentials }),
    );

  return {
    projectIds: snapshots.map(({ projectId }) => projectId), // as recorded
    recorded: snapshots.length,
    listed: projects.length, // in all shards
  };
};
