import type { ProjectService } from "../../provider/client/projectService.js";
import type { Settings } from "../../provider/settings/resolveSettings.js";
import { showStatus } from "./statusLine.js";

/** Returns the service with these settings. The first call loads axios and the rest of the client. */
export async function loadProjectService(settings: Settings): Promise<ProjectService> {
  const { getProjectService } = await import("../../provider/client/projectService.js");
  return getProjectService(settings, showStatus);
}
