import { startSandbox } from "../../sandbox/index.js";
import { type Sample, sampleOf } from "../sample.js";
import { createStack, deleteStacks } from "./pulumiStack.js";

/** The duration of `pulumi preview`, by program. */
export interface PreviewsResult {
  readonly seconds: Record<string, Sample>;
  /** The package's time divided by that of the hand-written program, run by run. */
  readonly ratioToByHand: Sample;
}

const programs: Record<string, string> = {
  empty: `require("@pulumi/pulumi");`,
  package: `const { getProjectOutput } = require("pulumi-project-service");
exports.webroot = getProjectOutput({ projectId: "p-1" }).environments[0].webroot;`,
  byHand: `const pulumi = require("@pulumi/pulumi");
const axios = require("axios");
const env = (name) => process.env["PROJECT_SERVICE_" + name];
async function read() {
  const form = new URLSearchParams({
    grant_type: "password",
    client_id: env("CLIENT_ID"),
    username: env("USERNAME"),
    password: env("PASSWORD"),
  });
  const realm = env("AUTH_URL") + "/auth/realms/" + env("REALM");
  const { data: token } = await axios.post(realm + "/protocol/openid-connect/token", form);
  const headers = { Authorization: "Bearer " + token.access_token };
  const { data } = await axios.get(env("BASE_URL") + "/api/project/v5/projects/p-1", { headers });
  for (const environment of data.projectEnvironments) {
    for (const database of environment.projectEnvironmentDatabases.databases) {
      database.username = pulumi.secret(database.username);
      database.password = pulumi.secret(database.password);
    }
  }
  return data;
}
exports.webroot = pulumi.output(read().then((p) => p.projectEnvironments[0].projectEnvironmentCode.webroot));`,
};

/**
 * Measures `pulumi preview` of three programs: an empty one, one with a `getProjectOutput`, and one
 * that reads the same project by hand with axios.
 */
export async function measurePreviews(runs: number): Promise<PreviewsResult> {
  const sandbox = await startSandbox();
  await deleteStacks();
  try {
    const names = Object.keys(programs);
    const stacks = [];
    for (const name of names) {
      stacks.push({ name, stack: await createStack(name, programs[name] as string, sandbox) });
    }
    const times: Record<string, number[]> = {};
    for (let round = 0; round < runs; round++) {
      for (const { name, stack } of stacks) (times[name] ??= []).push(await stack.timePreview());
    }
    const seconds: Record<string, Sample> = {};
    for (const name of names) seconds[name] = sampleOf((times[name] ?? []).map((ms) => ms / 1_000));
    const byHand = times["byHand"] ?? [];
    const ratioToByHand = sampleOf(
      (times["package"] ?? []).map((ms, round) => ms / (byHand[round] as number)),
    );
    return { seconds, ratioToByHand };
  } finally {
    await sandbox.close();
    await deleteStacks();
  }
}
