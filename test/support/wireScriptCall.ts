/*
 * One call of the service, also as a program of its own, which test/provider/wireScripts.test.ts
 * runs: it makes the call that its argument describes, and prints the result.
 */
import type { Sealer } from "../../provider/mapping.js";
import type { CodeRepository, Database } from "../../provider/project.js";
import { ProjectService } from "../../provider/projectService.js";
import type { TimeLimits } from "../../provider/timeLimits.js";
import { settingsOf } from "./settings.js";

export interface Call {
  readonly throughProxy: boolean;
  /** Reads the list first. */
  readonly byName: boolean;
}

/** Short, so that a server that does nothing costs little. */
export const limits: TimeLimits = { attemptMs: 120, totalMs: 300, listMs: 500 };

export const password = "c4nary-p4ssword-of-the-reader";

const withoutCredentials: Sealer<CodeRepository, Database> = {
  repository: (repository) => repository,
  database: (database) => database,
};

/** Makes the call, with settings and connections of its own, so that the server can tell it by its number. */
export function callService(
  { throughProxy, byName }: Call,
  index: number,
  port: number,
): Promise<unknown> {
  const host = throughProxy ? `call-${index}.example.com` : `127.0.0.1:${port}`;
  const url = `http://${host}/call-${index}`;
  const values = {
    baseUrl: url,
    authUrl: url,
    realm: "r",
    clientId: "c",
    username: "reader",
    password,
    insecureHttp: true,
  };
  const settings = settingsOf(values, () =>
    throughProxy ? `http://127.0.0.1:${port}` : undefined,
  );
  const service = new ProjectService(settings, () => {}, limits);
  return service.readProject(byName ? { name: "shop" } : { projectId: "p-1" }, withoutCredentials);
}

async function main(argument: string): Promise<void> {
  const { call, index, port } = JSON.parse(argument) as { call: Call; index: number; port: number };
  console.log(`result: ${JSON.stringify(await callService(call, index, port))}`);
}

if (require.main === module) void main(process.argv[2] as string);
