/** Lets equal reads share one until its first request is sent, so that no response is older than its call. */
export class RequestDeduplicator {
  private readonly unsent = new Map<string, Promise<unknown>>();

  /** @param start gets a function to call when the first request is sent. */
  run<T>(key: string, start: (onSend: () => void) => Promise<T>): Promise<T> {
    const shared = this.unsent.get(key);
    if (shared !== undefined) return shared as Promise<T>;
    const onSend = () => {
      if (this.unsent.get(key) === own) this.unsent.delete(key);
    };
    const own = start(onSend);
    this.unsent.set(key, own);
    own.then(onSend, onSend); // it can fail before
    return own;
  }
}
