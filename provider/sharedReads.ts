/**
 * Lets equal reads that overlap in time share one: who comes while it is under way gets what comes
 * of it, an error too; who comes later starts a new one. Nothing is kept.
 */
export class SharedReads<T> {
  private readonly underWay = new Map<string, Promise<T>>();

  read(key: string, start: () => Promise<T>): Promise<T> {
    const existing = this.underWay.get(key);
    if (existing !== undefined) return existing;
    const started = start().finally(() => this.underWay.delete(key));
    this.underWay.set(key, started);
    return started;
  }
}
