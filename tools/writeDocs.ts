/* `npm run docs`: writes the pages that are generated. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { faultTable } from "../test/faults/faultTable.js";

writeFileSync(join(__dirname, "../../docs/faults.md"), faultTable());
