import type { SandboxProject } from "./project.js";

/** Options of `startSandbox`. */
export interface SandboxOptions {
  /** Port on 127.0.0.1. Default: any free port. */
  port?: number;
  /** Default `hosting`. */
  realm?: string;
  /** Default `pulumi`. */
  clientId?: string;
  /** Makes the client a confidential client. Default: a public client. */
  clientSecret?: string;
  /** Default `reader`. */
  username?: string;
  /** Default: a new random password at each start. */
  password?: string;
  /** Default 900, as in the service's interface document. */
  tokenLifetimeSeconds?: number;
  /** Default 900, as in the service's interface document. */
  refreshTokenLifetimeSeconds?: number;
  /** Default: the result of `sampleProjects()`. */
  projects?: SandboxProject[];
  /** Projects on one page of the list. Each page links to the next one. Default: all on one page. */
  pageSize?: number;
  /**
   * Decides whether the project API accepts an access token. A request without a token passes `""`.
   * Set it to serve projects to tokens of a real identity provider. Default: the sandbox accepts the
   * tokens that it issued itself.
   */
  acceptsToken?: (accessToken: string) => boolean | Promise<boolean>;
}

/** The number of requests since the sandbox started, by kind. */
export interface SandboxCounters {
  /** Sign-ins with the password. */
  passwordGrants: number;
  /** Token requests with a refresh token. */
  refreshGrants: number;
  /** Token requests that got an error response. */
  rejectedGrants: number;
  /** Each page counts. */
  lists: number;
  /** Reads of one project. */
  projectReads: number;
  /** Requests with a token that is missing, expired or revoked. */
  refusedTokens: number;
  /** TCP connections opened. */
  connections: number;
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
  readonly environment: Readonly<Record<string, string>>;
  /** The projects that it serves. You can change them while it runs. */
  projects: SandboxProject[];
  /** Ids of projects that it lists, but whose read it answers with 403. */
  readonly forbiddenProjectIds: Set<string>;
  /** Delay before each response, in ms. Default 0. */
  latencyMs: number;
  /** The number of requests so far. */
  readonly counters: SandboxCounters;
  /** Every token that it issued. Search logs for them. */
  readonly issuedTokens: readonly string[];
  /** Makes it reject all access tokens that it has issued. */
  revokeAccessTokens(): void;
  /** Makes it reject all refresh tokens that it has issued. */
  revokeRefreshTokens(): void;
  /** Stops it, and closes all connections. */
  close(): Promise<void>;
}
