import { displayText } from "../../../provider/errors/displayText.js";
import { couldNotLook } from "../couldNotLook.js";
import { type PreviewedSnapshot, textOf } from "../preview.js";
import { compareFleet } from "./compareFleet.js";
import { compareSingle } from "./compareSingle.js";
import { secrecyOf } from "./secrecy.js";
import type { ComparedSnapshot, SnapshotChanges } from "./snapshotChanges.js";

/**
 * Compares what a snapshot has recorded with what an update would record.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` if it has recorded another service than the one that the preview read.
 */
export function compareSnapshot(snapshot: PreviewedSnapshot): SnapshotChanges {
  const { name, type, urn, before, after } = snapshot;
  const unknown = { name, type, urn, projects: 0, isFiltered: false, changes: [] };
  if (before === undefined) return { ...unknown, programChanges: [{ change: "added" }] };
  if (after === undefined) return { ...unknown, programChanges: [{ change: "removed" }] };
  const compared = { ...snapshot, before, after };
  refuseOtherService(compared);
  const compare = type === "ProjectsSnapshot" ? compareFleet : compareSingle;
  return { name, type, urn, ...compare(compared) };
}

/** Another service may have none of the projects, so that each of them would look removed. */
function refuseOtherService(snapshot: ComparedSnapshot): void {
  const secrecy = secrecyOf(snapshot, "service");
  const [recorded = "none", read = "none"] = [snapshot.before, snapshot.after].map((inputs) =>
    textOf(inputs.get("service")),
  );
  if (secrecy === "always" ? !snapshot.changed.has("service") : recorded === read) return;
  if (secrecy === "before" || secrecy === "after") return;
  const addresses =
    secrecy === "always"
      ? "has recorded another service than the settings name"
      : `has recorded the service at ${displayText(recorded, 200)}, but the settings name ${displayText(read, 200)}`;
  throw couldNotLook(
    `${snapshot.type} ${displayText(snapshot.name)} ${addresses}. Check baseUrl and connection. If the service has moved, record it with pulumi up --refresh=false.`,
  );
}
