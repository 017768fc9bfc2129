import * as pulumi from "@pulumi/pulumi";
import type { ProjectService } from "../provider/projectService.js";
import type { Settings } from "../provider/resolveSettings.js";

/** The service with these settings. Loads axios and the rest at the first call, not at import. */
export async function openService(settings: Settings): Promise<ProjectService> {
  const { connect } = await import("../provider/projectService.js");
  return connect(settings, sayWait);
}

/** In the status line of the program that waits. */
function sayWait(reason: string, waitMs: number): void {
  const seconds = Math.round(waitMs / 1_000);
  void pulumi.log.info(`${reason} Trying again in ${seconds} s.`, undefined, undefined, true);
}
