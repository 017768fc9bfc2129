import { bodyFaults } from "./bodyFaults.js";
import { connectionFaults } from "./connectionFaults.js";
import type { Fault } from "./fault.js";
import { listFaults } from "./listFaults.js";
import { statusFaults } from "./statusFaults.js";

/** All faults, in the order in which the tests show them. */
export const allFaults: readonly Fault[] = [
  ...connectionFaults,
  ...bodyFaults,
  ...listFaults,
  ...statusFaults,
];
