/* `npm run bench`: measurements that print ratios. Nothing here passes or fails. */
import { countDeclarations } from "./declarations.js";
import { measureImport } from "./importTime.js";
import { measureSnapshots } from "./snapshots.js";

async function main(): Promise<void> {
  console.log(measureImport());
  console.log(countDeclarations());
  for (const line of await measureSnapshots()) console.log(line);
}

void main();
