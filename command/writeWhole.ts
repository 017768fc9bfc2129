import { fstatSync, ftruncateSync, writeSync } from "node:fs";

/**
 * Writes a text to an open file. If that fails, a regular file becomes as long as it was, unless somebody
 * else writes to it too.
 */
export function writeWhole(descriptor: number, text: string): void {
  const earlier = fstatSync(descriptor);
  const bytes = Buffer.from(text);
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(descriptor, bytes, written);
  } catch (error) {
    const { size } = fstatSync(descriptor);
    const { dev, ino } = fstatSync(2);
    // A message on standard error would stand behind a gap, if both go to the same file.
    const isShared = dev === earlier.dev && ino === earlier.ino;
    if (earlier.isFile() && !isShared && size === earlier.size + written) {
      ftruncateSync(descriptor, earlier.size);
    }
    throw error;
  }
}
