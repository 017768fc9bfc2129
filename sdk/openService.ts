import type { ConnectionSettings } from "../provider/connectionSettings.js";
import type { ProjectService } from "../provider/projectService.js";
import { resolveConnection } from "./config.js";

/** The service of a connection. Loads axios and the rest at the first call, not at import. */
export async function openService(
  connection: string | ConnectionSettings | undefined,
): Promise<ProjectService> {
  const settings = await resolveConnection(connection);
  const { connect } = await import("../provider/projectService.js");
  return connect(settings);
}
