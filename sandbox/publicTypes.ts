import type { SandboxLeak } from "./leaks.js";
import type { SandboxProject } from "./projects.js";

/** Options of `startSandbox`. */
export interface SandboxOptions {
  /** The projects that it serves first. Default: the result of `sampleProjects()`. */
  projects?: SandboxProject[] | undefined;
  /** Port on 127.0.0.1. Default: any free port. */
  port?: number | undefined;
  /** Default: a new random password at each start. */
  password?: string | undefined;
  /** Default `reader`. */
  username?: string | undefined;
  /** Default `hosting`. */
  realm?: string | undefined;
  /** Default `pulumi`. */
  clientId?: string | undefined;
  /** Makes the client a confidential client. Default: a public client. */
  clientSecret?: string | undefined;
}

/** The number of requests since the sandbox started, by kind. Those that `failNext` made fail count too. */
export interface SandboxCounters {
  /** Sign-ins with the password. */
  passwordGrants: number;
  /** Token requests with a refresh token. */
  refreshGrants: number;
  /** Token requests that got an error response. */
  rejectedGrants: number;
  /** Requests for the list. */
  lists: number;
  /** Reads of one project. */
  projectReads: number;
  /** Requests with a token that is missing or expired. */
  refusedTokens: number;
  /** TCP connections opened. */
  connections: number;
}

/** A failure that a sandbox plans for the next requests. */
export interface SandboxFailure {
  /** The status of the response, from 400 to 599. */
  status: number;
  /** How many requests fail. `Infinity` makes all later requests fail. Default 1. */
  times?: number | undefined;
  /**
   * The requests that fail: a text is the whole path of a request, such as
   * `/api/project/v5/projects/p-1`, without the query. A RegExp is tested against this path. Default:
   * every request to the project API, but no sign-in.
   */
  path?: string | RegExp | undefined;
}

/** A running Project Service with its identity provider. */
export interface Sandbox {
  /** The settings to read it with. Pass them as `connection`. */
  readonly connection: {
    readonly baseUrl: string;
    readonly authUrl: string;
    readonly realm: string;
    readonly clientId: string;
    readonly clientSecret?: string;
    readonly username: string;
    readonly password: string;
  };
  /** The same settings as `PROJECT_SERVICE_*` environment variables. */
  readonly envVars: Readonly<Record<string, string>>;
  /** The projects that it serves. Change or replace them while it runs. */
  projects: SandboxProject[];
  /** The number of requests so far. */
  readonly counters: SandboxCounters;
  /**
   * Makes the next requests fail, for instance `failNext({ status: 503, times: 3 })`. Each call adds
   * failures. A request gets the first one that matches it.
   *
   * Each attempt uses up one failure. A read that is alone fails after five responses with 401, 408, 425 or most 5xx,
   * in about 5 s: pass `times: 5`. While other reads succeed, it is attempted up to 20 times. After 429, it is attempted for
   * 180 s: pass `times: Infinity`. After most other statuses it is attempted once.
   *
   * @throws TypeError if a value is wrong, or if no request can have the path.
   */
  failNext(failure: SandboxFailure): void;
  /**
   * Returns the credentials of this sandbox that a state, a log or a file contains: its password, client secret and
   * tokens, and the credentials of its projects. Of user names and `importRepository`, only texts of eight or more characters.
   *
   * @example
   * assert.deepEqual(sandbox.leaksIn(await readFile("state.json")), []);
   */
  leaksIn(text: string | Uint8Array): SandboxLeak[];
  /** Stops it, and closes all connections. */
  close(): Promise<void>;
}
