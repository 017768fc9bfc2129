import { bodyFaults } from "./bodyFaults.js";
import { connectionFaults } from "./connectionFaults.js";
import type { Fault } from "./fault.js";
import { listFaults } from "./listFaults.js";
import { statusFaults } from "./statusFaults.js";

/** All faults, in the order of docs/faults.md. */
export const allFaults: readonly Fault[] = [
  ...connectionFaults,
  ...bodyFaults,
  ...listFaults,
  ...statusFaults,
];
