import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * Runs gitlab-ci-local in a folder. gitlab-ci-local reads, checks and runs the CI files of GitLab.
 * npx downloads it, together with the Node version that it needs.
 */
export type GitlabCiLocal = (
  folder: string,
  args: readonly string[],
  environment?: Readonly<Record<string, string>>,
) => Promise<{ stdout: string; stderr: string }>;

const command = ["--yes", "-p", "node@22", "-p", "gitlab-ci-local@4.75.1", "gitlab-ci-local"];

/** Returns a function that runs gitlab-ci-local. Throws if npx cannot run it. */
export async function findGitlabCiLocal(): Promise<GitlabCiLocal> {
  const gitlabCiLocal: GitlabCiLocal = (folder, args, environment = {}) =>
    run("npx", [...command, ...args], {
      cwd: folder,
      env: { ...process.env, ...environment },
      maxBuffer: 64 * 1024 * 1024,
    });
  try {
    await gitlabCiLocal(".", ["--version"]);
  } catch (error) {
    throw new Error(
      "Running gitlab-ci-local with npx failed. Check that npm can reach its registry.",
      { cause: error },
    );
  }
  return gitlabCiLocal;
}
