import { createHash } from "node:crypto";

/** Keeps the results that were used last, each by a hash of its input, which may contain passwords. */
export class ResultCache<T> {
  private readonly results = new Map<string, T>();

  constructor(private readonly maxResults = 32) {}

  /** Returns the result for equal input. Keeps nothing if `create` throws. */
  get(input: unknown, create: () => T): T {
    const key = createHash("sha256").update(JSON.stringify(input)).digest("base64");
    const result = this.results.get(key) ?? create();
    this.results.delete(key);
    this.results.set(key, result);
    const [oldest] = this.results.keys();
    if (this.results.size > this.maxResults) this.results.delete(oldest as string);
    return result;
  }
}
