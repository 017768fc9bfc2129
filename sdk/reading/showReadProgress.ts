import * as pulumi from "@pulumi/pulumi";
import { readCounter, withProgress } from "../../provider/service/progress.js";

/** Shows how many projects were read, in the status line of Pulumi. Without a terminal, Pulumi prints these lines. */
export function showReadProgress<T>(
  read: (onProgress: (read: number, total: number) => void) => Promise<T>,
): Promise<T> {
  const { onProgress, text } = readCounter();
  const show = () => void pulumi.log.info(text(), undefined, undefined, true);
  return withProgress(show, 10_000, () => read(onProgress));
}
