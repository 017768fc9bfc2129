/*
 * One call of the service. As a program of its own, which test/integration/arbitraryBytes.test.ts
 * runs, this makes the call that the argument describes, and prints its duration and its result.
 */
import { connect } from "../../provider/client/projectService.js";
import type { TimeLimits } from "../../provider/http/limits.js";
import { withoutCredentials } from "../../provider/wire/mapping.js";
import { settingsOf } from "./settings.js";

export interface Call {
  readonly throughProxy: boolean;
  /** Whether the call reads the list first. */
  readonly byName: boolean;
}

/** Returns short limits, so that silent servers cost little time. A busy machine needs a larger factor. */
export function limitsOf(factor: number): TimeLimits {
  return { attemptMs: 120 * factor, totalMs: 300 * factor, listMs: 500 * factor };
}

export const password = "c4nary-p4ssword-of-the-reader";

/** Makes a call with its own settings and connections. The server recognizes the call by its number. */
export function callService(
  { throughProxy, byName }: Call,
  index: number,
  port: number,
  limits: TimeLimits,
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
  const service = connect(settings, () => {}, limits);
  return service.readProject(byName ? { name: "shop" } : { projectId: "p-1" }, withoutCredentials);
}

/** The argument of the program, as JSON. */
export interface CallArgument {
  readonly call: Call;
  readonly index: number;
  readonly port: number;
  readonly limits: TimeLimits;
}

async function main(argument: string): Promise<void> {
  const { call, index, port, limits } = JSON.parse(argument) as CallArgument;
  const startMs = performance.now();
  const result = await callService(call, index, port, limits);
  const ms = Math.ceil(performance.now() - startMs);
  console.log(`result after ${ms} ms: ${JSON.stringify(result)}`);
}

if (require.main === module) void main(process.argv[2] as string);
