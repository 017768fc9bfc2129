/**
 * Collects the bytes of a response in one growing buffer. A list of chunks would take 500 bytes for a
 * chunk of one byte, so a response within its limit of size could fill the memory.
 */
export class ReceivedBytes {
  private buffer: Buffer = Buffer.alloc(0);
  length = 0;

  add(chunk: Buffer): void {
    // Most responses are one chunk, which is not copied.
    if (this.length === 0) this.buffer = chunk;
    else {
      const length = this.length + chunk.length;
      if (length > this.buffer.length) this.grow(length);
      chunk.copy(this.buffer, this.length);
    }
    this.length += chunk.length;
  }

  bytes(): Buffer {
    const { buffer, length } = this;
    return buffer.length === length ? buffer : buffer.subarray(0, length);
  }

  private grow(length: number): void {
    const larger = Buffer.allocUnsafe(Math.max(length, 2 * this.buffer.length));
    this.buffer.copy(larger, 0, 0, this.length);
    this.buffer = larger;
  }
}
