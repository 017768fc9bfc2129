/*
 * `npm run docs`: writes what is generated in the documents. These are docs/rules.md, the
 * fields in docs/functions.md and in the schema of pipeline outputs, the cases in docs/drift.md,
 * the output of the commands in every document, and the picture of the HTML report. Takes about 2 minutes.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageInfo } from "../provider/service/packageInfo.js";
import { sampleProjects } from "../sandbox/index.js";
import { reportOn } from "../test/support/auditReport.js";
import { auditImage } from "./docs/auditImage.js";
import { documentPaths, readDocument } from "./docs/documents.js";
import { withDriftTable } from "./docs/driftTable.js";
import { pipelineSchema, withFieldTable } from "./docs/fields.js";
import { rulesPage } from "./docs/rulesPage.js";
import { hasCommands, needsPulumi, runDocument } from "./docs/runDocument.js";
import { findChromium } from "./external/chromium.js";
import { findPulumi } from "./pulumi/pulumiCli.js";

const root = join(__dirname, "../..");

async function main(): Promise<void> {
  writeFileSync(join(root, "docs/rules.md"), await rulesPage());
  writeFileSync(join(root, "schemas/pipeline-outputs.schema.json"), await pipelineSchema());
  const functions = join(root, "docs/functions.md");
  writeFileSync(functions, await withFieldTable(readFileSync(functions, "utf8")));
  const drift = join(root, "docs/drift.md");
  writeFileSync(drift, await withDriftTable(readFileSync(drift, "utf8")));
  for (const path of documentPaths(root)) {
    const document = readDocument(root, path);
    if (!hasCommands(document)) continue;
    console.error(`Running the commands of ${path}`);
    const pulumi = needsPulumi(document) ? (await findPulumi(console.error)).command : undefined;
    writeFileSync(join(root, path), await runDocument(document, pulumi));
  }
  console.error("Drawing the HTML report");
  const report = { ...reportOn(sampleProjects()), tool: packageInfo };
  const image = await auditImage(report, await findChromium(console.error));
  writeFileSync(join(root, "docs/images/audit.png"), image);
}

void main();
