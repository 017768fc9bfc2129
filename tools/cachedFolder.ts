import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

/** Receives the name and the usual duration of each long step. */
export type Report = (step: string) => void;

/** Downloads and builds that take long are kept here between runs. */
export const cacheFolder = join(
  process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"),
  "pulumi-project-service",
);

/**
 * Returns the path of a folder of the cache. Creates the folder if it does not exist.
 *
 * @param create fills a temporary folder. Returns the path of the folder to keep: the temporary
 *   folder or a folder in it. The kept folder is moved into the cache in one step, so an interrupted
 *   run leaves no incomplete folder there.
 */
export async function cachedFolder(
  name: string,
  create: (temporary: string) => Promise<string>,
): Promise<string> {
  const folder = join(cacheFolder, name);
  if (existsSync(folder)) return folder;
  await mkdir(cacheFolder, { recursive: true });
  const temporary = await mkdtemp(join(cacheFolder, "incomplete-"));
  try {
    const created = await create(temporary);
    // Another process may have created the folder in the meantime.
    if (!existsSync(folder)) await rename(created, folder);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  return folder;
}
