import { createHash } from "node:crypto";

/** Keeps results, each by a hash of its input, which may contain passwords. */
export class ResultCache<T> {
  private readonly results = new Map<string, T>();

  /** Returns the result for equal input. Keeps nothing if `create` throws. */
  get(input: unknown, create: () => T): T {
    const key = createHash("sha256").update(JSON.stringify(input)).digest("base64");
    const result = this.results.get(key) ?? create();
    this.results.set(key, result);
    return result;
  }
}
