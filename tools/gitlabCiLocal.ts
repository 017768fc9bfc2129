import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Runs gitlab-ci-local, which reads, checks and runs GitLab's CI files. npm brings it, and the Node that it needs. */
export type GitlabCiLocal = (
  directory: string,
  args: readonly string[],
  environment?: Readonly<Record<string, string>>,
) => Promise<{ stdout: string; stderr: string }>;

const command = ["--yes", "-p", "node@22", "-p", "gitlab-ci-local@4.75.1", "gitlab-ci-local"];

export async function findGitlabCiLocal(): Promise<GitlabCiLocal> {
  const gitlabCiLocal: GitlabCiLocal = (directory, args, environment = {}) =>
    run("npx", [...command, ...args], {
      cwd: directory,
      env: { ...process.env, ...environment },
      maxBuffer: 64 * 1024 * 1024,
    });
  try {
    await gitlabCiLocal(".", ["--version"]);
  } catch (error) {
    throw new Error("gitlab-ci-local could not be got from the npm registry", { cause: error });
  }
  return gitlabCiLocal;
}
