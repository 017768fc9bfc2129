import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import type { JsonResponse } from "../../sandbox/identityProvider.js";
import type { SandboxOptions, SandboxProject } from "../../sandbox/index.js";
import { elementName } from "../../sandbox/leaks.js";
import { checkSandboxProjects } from "../../sandbox/projects.js";
import { SandboxServer } from "../../sandbox/sandboxServer.js";
import { readJsonFile } from "../readJson.js";
import { printStderr } from "../standardStreams.js";

/** Serves the projects in a file. Each response shows the file as it is then, or was before it was broken. */
export class FileSandbox extends SandboxServer {
  private version: string;

  constructor(
    private readonly file: string,
    options: SandboxOptions,
  ) {
    const version = versionOf(file);
    super({ ...options, projects: projectsIn(file) });
    this.version = version;
  }

  protected override responseTo(request: IncomingMessage): Promise<JsonResponse> {
    const version = versionOf(this.file);
    if (version !== this.version) {
      this.version = version;
      try {
        this.projects = projectsIn(this.file);
      } catch (error) {
        printStderr(`${(error as Error).message} The sandbox still serves the previous projects.`);
      }
    }
    return super.responseTo(request);
  }
}

/** Returns a text that changes with the file, and is empty if nobody can see it. */
function versionOf(file: string): string {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true });
    return [ino, size, mtimeNs, ctimeNs].join();
  } catch {
    return "";
  }
}

function projectsIn(file: string): SandboxProject[] {
  const projects = readJsonFile(file, "--projects", checkSandboxProjects);
  completeCredentials(projects);
  return projects;
}

/** Completes credentials whose keys are absent, as in an export. Any other field of a file may have any value. */
function completeCredentials(value: unknown, place = "", key = ""): void {
  if (!isObject(value)) return;
  if (key === "codeRepository") value["importRepository"] ??= null;
  for (const [innerKey, inner] of Object.entries(value)) {
    const innerPlace = `${place}/${elementName(inner, innerKey)}`;
    if (key === "databases" && isObject(inner)) {
      // The same at each start, so that a program sees no change.
      const text = createHash("sha256").update(innerPlace).digest("base64");
      const invented = { username: `user_${text.slice(0, 8)}`, password: text.slice(8, 28) };
      Object.assign(inner, { ...invented, ...inner });
    }
    completeCredentials(inner, innerPlace, innerKey);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
