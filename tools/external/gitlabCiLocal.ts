import { findNpxTool, type NpxTool } from "./npxTool.js";

/** Runs gitlab-ci-local in a folder. gitlab-ci-local reads, checks and runs the CI files of GitLab. */
export type GitlabCiLocal = NpxTool;

/** Returns a function that runs gitlab-ci-local, with the Node version that it needs. */
export const findGitlabCiLocal = (): Promise<GitlabCiLocal> =>
  findNpxTool(["node@22", "gitlab-ci-local@4.75.1"], "gitlab-ci-local");
