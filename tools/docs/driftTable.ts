import { driftCases } from "../../test/engine/driftCases.js";
import { withTable } from "./tables.js";

/** Returns docs/drift.md with the table of the cases that test/engine/drift.test.ts runs. */
export function withDriftTable(document: string): Promise<string> {
  return withTable(
    document,
    ["what happened", "what the command prints", "exit code"],
    driftCases.map(({ name, line, exitCode }) => [name, `\`${line}\``, String(exitCode)]),
  );
}
