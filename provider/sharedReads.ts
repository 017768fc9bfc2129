/**
 * Lets equal reads share one, as long as it has not been sent: who asks before gets what comes of
 * it, an error too; who asks later starts a new one. So nobody gets an answer from before the call.
 */
export class SharedReads<T> {
  private readonly unsent = new Map<string, Promise<T>>();

  /** @param start begins a read, and calls `onSend` as its request goes out. */
  read(key: string, start: (onSend: () => void) => Promise<T>): Promise<T> {
    const existing = this.unsent.get(key);
    if (existing !== undefined) return existing;
    let isUnsent = true;
    const close = (): void => {
      if (isUnsent) this.unsent.delete(key);
      isUnsent = false;
    };
    const started = start(close).finally(close);
    if (isUnsent) this.unsent.set(key, started);
    return started;
  }
}
