import type { AuditResult } from "../audit/measureAudit.js";
import type { FormatsResult } from "../audit/measureFormats.js";
import type { ReportPageResult } from "../audit/measureReportPage.js";
import type { ImportResult } from "../measureImport.js";
import type { LatencyResult } from "../reads/measureLatency.js";
import type { ReadsResult } from "../reads/measureReads.js";
import type { PreviewsResult } from "../stacks/measurePreviews.js";
import type { RecordingResult } from "../stacks/measureRecording.js";
import type { SnapshotsResult } from "../stacks/measureSnapshots.js";

/** The results of all measurements, as in bench/results.json. */
export interface Results {
  readonly import: ImportResult;
  /** Absent if there is no Chromium. */
  readonly reportPage?: ReportPageResult;
  readonly audit: AuditResult;
  readonly formats: FormatsResult;
  readonly previews: PreviewsResult;
  readonly snapshots: SnapshotsResult;
  readonly recording: readonly RecordingResult[];
  readonly reads: readonly ReadsResult[];
  readonly latency: LatencyResult;
}
