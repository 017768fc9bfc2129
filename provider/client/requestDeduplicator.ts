/**
 * Shares one request among equal reads, until it is sent.
 *
 * A read that starts after the request was sent starts a new one, so no response is older than the
 * call that returns it.
 */
export class RequestDeduplicator<T> {
  private readonly unsent = new Map<string, Promise<T>>();

  /** @param start starts a request, and calls `onSend` when it is sent. */
  read(key: string, start: (onSend: () => void) => Promise<T>): Promise<T> {
    const existing = this.unsent.get(key);
    if (existing !== undefined) return existing;
    let isUnsent = true;
    const close = (): void => {
      if (isUnsent) this.unsent.delete(key);
      isUnsent = false;
    };
    const started = start(close);
    if (isUnsent) this.unsent.set(key, started);
    // A request can end before it is sent.
    started.then(close, close);
    return started;
  }
}
