import type { ImportResult } from "../measureImport.js";
import type { LatencyResult } from "../reads/measureLatency.js";
import type { ReadsResult } from "../reads/measureReads.js";
import type { PreviewsResult } from "../stacks/measurePreviews.js";
import type { SnapshotsResult } from "../stacks/measureSnapshots.js";

/** The results of all measurements, as in bench/results.json. */
export interface Results {
  readonly import: ImportResult;
  readonly previews: PreviewsResult;
  readonly snapshots: SnapshotsResult;
  readonly reads: readonly ReadsResult[];
  readonly latency: LatencyResult;
}
