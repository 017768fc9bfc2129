import { execFile, type ExecFileException } from "node:child_process";
import { promisify, stripVTControlCharacters } from "node:util";
import { displayText } from "../provider/errors/displayText.js";
import { ProjectServiceError } from "../provider/errors/projectServiceError.js";
import { projectFolder } from "../provider/settings/projectFolder.js";
import { findProgram } from "./findProgram.js";
import { parseJson } from "./readJson.js";
import { showProgressLine } from "./standardStreams.js";

/** Nobody named a stack, and the CLI has none: it is absent or not logged in, or no stack is selected. */
export class NoStackError extends ProjectServiceError {
  constructor(
    /** The message without its advice. */
    readonly reason: string,
    advice: string,
  ) {
    super("SETTINGS_INVALID", `${reason} ${advice}`);
  }
}

/**
 * The errors of Pulumi that are quoted. Others can contain the address of the state backend with its password, or a
 * part of the stack file. These are the sentences of CLI 3.220.0 and 3.276.0.
 */
const knownErrors =
  /^error: .*?(no stack selected|no stack named '[\w./-]+' found|incorrect passphrase|passphrase must be set with PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE|could not decrypt configuration values|failed to decrypt(?:: incorrect passphrase)?|PULUMI_ACCESS_TOKEN must be set for login)/m;

export const checkDecryption =
  "Check PULUMI_CONFIG_PASSPHRASE, or the access to the secrets provider.";

/**
 * Returns the JSON that a command of the Pulumi CLI prints, for the selected or a named stack. Shows how long it has been
 * running.
 *
 * @param otherwise how to do without, for errors: `pass --project`.
 * @throws ProjectServiceError `SETTINGS_INVALID`, or `ARGUMENT_INVALID` if it prints no JSON.
 */
export async function readPulumi(
  args: readonly string[],
  directory: string,
  stack: string | undefined,
  otherwise: string,
): Promise<unknown> {
  // If no stack has this name, the CLI says so for the option. For the variable, it says that no stack is selected.
  const named = stack ?? (process.env["PULUMI_STACK"] || undefined);
  const failure = (reason: string, advice: string, hasNoStack = false) =>
    named === undefined && hasNoStack
      ? new NoStackError(reason, advice)
      : new ProjectServiceError("SETTINGS_INVALID", `${reason} ${advice}`);
  const folder = displayText(directory, 200);
  const outside =
    projectFolder(directory) === undefined
      ? failure(
          `There is no Pulumi.yaml in ${folder} or above it.`,
          `Either ${otherwise}, or pass the folder of the Pulumi project in --cwd.`,
        )
      : undefined;
  const program = findProgram("pulumi");
  if (program === undefined) {
    throw (
      outside ?? failure("There is no Pulumi CLI on PATH.", `Install it, or ${otherwise}.`, true)
    );
  }
  const options = named === undefined ? [] : ["--stack", named];
  const shown = ["pulumi", ...args.filter((each) => !each.startsWith("-")), ...options];
  const command = displayText(shown.join(" "), 200);
  // With options of another run, this one could print something else. On Windows, a variable has any case.
  const variables = Object.entries(process.env).filter(([name]) => !/^PULUMI_OPTION_/i.test(name));
  const execution = {
    cwd: directory,
    env: Object.fromEntries(variables),
    encoding: "buffer",
    maxBuffer: Infinity,
  } as const;
  let json: Buffer;
  try {
    ({ stdout: json } = await showProgressLine(
      (seconds) => `${command} has been running for ${seconds} s`,
      () => {
        const words = [...args, "--non-interactive", ...options];
        const running = promisify(execFile)(program, words, execution);
        running.child.stdin?.end();
        return running;
      },
    ));
  } catch (error) {
    const { code, signal, stderr = "" } = error as ExecFileException;
    const [, known] = knownErrors.exec(stripVTControlCharacters(String(stderr))) ?? [];
    // Only now: with its full name, a stack can be read from any folder.
    if (known === undefined && outside !== undefined) throw outside;
    const end =
      typeof code === "string"
        ? `${displayText(program, 200)} did not start (${code}).`
        : `it exited with ${code ?? signal}. Its output can contain secrets: run it there to see why.`;
    throw failure(
      `${command} in ${folder} failed: ${known === undefined ? end : `Pulumi says "${known}".`}`,
      adviceFor(known, otherwise),
      /^(no stack selected|PULUMI_ACCESS_TOKEN)/.test(known ?? ""),
    );
  }
  return parseJson(String(json), `The output of ${command} in ${folder}`);
}

/** Says what to do about a quoted error of Pulumi, or about another one. */
function adviceFor(known = "", otherwise: string): string {
  if (/passphrase|decrypt/.test(known)) return checkDecryption;
  const check = "Check --stack, PULUMI_STACK and --cwd";
  return `${known.startsWith("PULUMI_ACCESS_TOKEN") ? "Run pulumi login" : check}, or ${otherwise}.`;
}
