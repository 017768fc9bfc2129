import * as pulumi from "@pulumi/pulumi";
import { ProjectsSnapshot } from "pulumi-project-service";

const config = new pulumi.Config();
const fleet = new ProjectsSnapshot("fleet", {
  shard: { index: config.requireNumber("shard"), count: config.requireNumber("shards") },
  includeCredentials: config.getBoolean("includeCredentials") ?? false,
});

/** The projects of this shard. check.mjs reads this output of every stack. */
export const projectIds = fleet.projects.apply((projects) => Object.keys(projects).sort());
