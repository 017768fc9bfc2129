import { createHash } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";
import * as projectService from "pulumi-project-service";
import { readShare } from "./share";

/** Depends only on the id and on the number of shards, so it is the same on every machine. */
function shardOf(projectId: string, shards: number): number {
  return createHash("sha256").update(projectId).digest().readUInt32BE() % shards;
}

// Pulumi waits for an exported async function, so a preview shows every snapshot.
export = async () => {
  const { shard, shards, includeCredentials } = readShare(new pulumi.Config());
  const { projects } = await projectService.getProjects();

  // The resource is named by the id. If a project is renamed, its resource stays the same.
  const snapshots = projects
    .filter(({ projectId }) => shardOf(projectId, shards) === shard)
    .map(
      ({ projectId }) =>
        new projectService.ProjectSnapshot(projectId, { projectId, includeCredentials }),
    );

  return {
    projectIds: snapshots.map(({ projectId }) => projectId), // the projects of this shard
    recorded: snapshots.length,
    listed: projects.length, // the projects of all shards
  };
};
