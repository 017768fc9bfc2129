/* `npm run bench`: measurements that print ratios. Nothing here passes or fails. */
import { countDeclarations } from "./declarations.js";
import { measureImport } from "./importTime.js";

console.log(measureImport());
console.log(countDeclarations());
