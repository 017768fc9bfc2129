import { accessSync, constants, statSync } from "node:fs";
import { posix, win32 } from "node:path";
import { displayText } from "../provider/errors/displayText.js";
import { argumentInvalid } from "../provider/errors/projectServiceError.js";

type System = Pick<NodeJS.Process, "platform" | "env">;

/**
 * Returns the path of a program on PATH, or undefined. If PATH has only a file of that name that cannot be executed,
 * returns its path. Returns a command that contains a path separator as written.
 *
 * The current folder is never searched: an untrusted checkout could contain a program of that name. On Windows, Node
 * looks there first, or in the option `cwd` of `spawn`. https://nvd.nist.gov/vuln/detail/CVE-2020-27955 is of this kind.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` for a batch file of Windows, which Node cannot start without a shell:
 *   https://nodejs.org/api/child_process.html#spawning-bat-and-cmd-files-on-windows
 */
export function findProgram(command: string, { platform, env }: System = process) {
  const isWindows = platform === "win32";
  const isPath = (isWindows ? /[\\/]/ : /\//).test(command);
  const program = isPath ? command : findOnPath(command, env["PATH"] ?? "", isWindows);
  if (program === undefined || !isWindows || !/\.(bat|cmd)$/i.test(program)) return program;
  const name = displayText(command, 200);
  const place = isPath ? "" : `, ${displayText(program, 200)},`;
  throw argumentInvalid(
    `${name} is a batch file${place} and Node cannot start one without a shell. Use a program that ends with .exe instead, and put its folder first in PATH.`,
  );
}

function findOnPath(command: string, folders: string, isWindows: boolean): string | undefined {
  const path = isWindows ? win32 : posix;
  const endings = isWindows ? [".com", ".exe", ".bat", ".cmd"] : [""];
  // With an ending, Windows looks for the name itself first.
  if (isWindows && path.extname(command) !== "") endings.unshift("");
  const files = folders
    .split(path.delimiter)
    // Windows allows quotation marks around an entry.
    .map((folder) => (isWindows ? folder.replace(/^"(.*)"$/, "$1") : folder))
    // An empty or relative entry is the current folder, or is in it.
    .filter((folder) => path.isAbsolute(folder))
    .flatMap((folder) => endings.map((ending) => `${folder}/${command}${ending}`));
  return files.find((file) => isFile(file, constants.X_OK)) ?? files.find((file) => isFile(file));
}

function isFile(path: string, access = constants.F_OK): boolean {
  try {
    accessSync(path, access);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
