import type { ProjectService } from "../provider/projectService.js";
import type { Settings } from "../provider/settings.js";

/** The service with these settings. Loads axios and the rest at the first call, not at import. */
export async function openService(settings: Settings): Promise<ProjectService> {
  const { connect } = await import("../provider/projectService.js");
  return connect(settings);
}
