import { readFile, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { SandboxProject } from "../projects/project.js";
import { sampleProjects } from "../projects/sampleProjects.js";
import { checkProjects } from "../projects/checkProjects.js";
import { parseJson } from "./parseJson.js";

/** The text of the projects file, or Node's code if it cannot be read. */
interface Content {
  readonly text?: string;
  readonly errorCode?: string;
}

const pollMs = 200;

/** A JSON file with a list of projects in the JSON form of the service. */
export class ProjectsFile {
  /** The content that was served or reported last. */
  private content: Content = {};

  constructor(private readonly path: string) {}

  /**
   * Reads the projects.
   *
   * @throws Error that names the file, the place in it and the rule
   */
  async read(): Promise<SandboxProject[]> {
    this.content = await readContent(this.path);
    return projectsIn(this.content, this.path);
  }

  /**
   * Calls one of the callbacks after each change since the last read: `onProjects` with the new
   * projects, `onProblem` with the reason why there are none. Never ends.
   *
   * Compares the content. `fs.watch` loses a file that an editor replaces by a rename, and the time
   * of a change is too coarse on some file systems.
   */
  async watch(
    onProjects: (projects: SandboxProject[]) => void,
    onProblem: (message: string) => void,
  ): Promise<never> {
    let latest = this.content;
    for (;;) {
      await sleep(pollMs);
      const previous = latest;
      latest = await readContent(this.path);
      if (isEqual(latest, this.content)) continue;
      try {
        onProjects(projectsIn(latest, this.path));
      } catch (error) {
        // An editor may write a file in steps. Only a problem that lasts is reported.
        if (!isEqual(latest, previous)) continue;
        onProblem((error as Error).message);
      }
      this.content = latest;
    }
  }
}

/**
 * Writes the sample projects to a new file.
 *
 * @throws Error that names the file, for instance because it already exists
 */
export async function writeSampleProjects(path: string): Promise<void> {
  const text = `${JSON.stringify(sampleProjects(), undefined, 2)}\n`;
  try {
    await writeFile(path, text, { flag: "wx" });
  } catch (error) {
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    throw new Error(
      `Writing ${path} failed: ` +
        (code === "EEXIST"
          ? "the file already exists and may contain your changes. Delete it, or pass another file as --write-projects."
          : `${code}. Check the path in --write-projects.`),
    );
  }
}

async function readContent(path: string): Promise<Content> {
  try {
    return { text: await readFile(path, "utf8") };
  } catch (error) {
    return { errorCode: (error as NodeJS.ErrnoException).code ?? "unknown error" };
  }
}

function isEqual(one: Content, other: Content): boolean {
  return one.text === other.text && one.errorCode === other.errorCode;
}

function projectsIn({ text = "", errorCode }: Content, path: string): SandboxProject[] {
  try {
    if (errorCode !== undefined) throw new Error(reasonOf(errorCode, path));
    // Some editors start a file with a byte order mark.
    return checkProjects(parseJson(text.replace(/^\ufeff/, "")));
  } catch (error) {
    throw new Error(`Reading ${path} failed: ${(error as Error).message}.`);
  }
}

function reasonOf(errorCode: string, path: string): string {
  return errorCode === "ENOENT"
    ? `the file does not exist. To create it, run pulumi-project-service sandbox --write-projects ${path}`
    : `${errorCode}. Check the path in --projects`;
}
