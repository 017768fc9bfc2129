import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, IdentityProvider } from "./identityProvider.js";
import { listPage } from "./listPage.js";
import type { SandboxProject } from "./project.js";
import { sampleProjects } from "./sampleProjects.js";

export interface SandboxOptions {
  /** Port on 127.0.0.1. Default: any free one. */
  port?: number;
  /** Default `hosting`. */
  realm?: string;
  /** Default `pulumi`. */
  clientId?: string;
  /** Makes the client a confidential one. Default: a public client. */
  clientSecret?: string;
  /** Default `reader`. */
  username?: string;
  /** Default: another random one at each start. */
  password?: string;
  /** Default 900, as in the service's document. */
  tokenLifetimeSeconds?: number;
  /** Default 900, as in the service's document. */
  refreshTokenLifetimeSeconds?: number;
  /** Default: {@link sampleProjects}. */
  projects?: SandboxProject[];
  /** Projects in a page of the list, which then says where it goes on. Default: all in one. */
  pageSize?: number;
  /**
   * Whether the project API takes an access token; without one it is asked about `""`. With it the
   * sandbox serves tokens of a real identity provider. Default: tokens that it issued itself.
   */
  acceptsToken?: (accessToken: string) => boolean | Promise<boolean>;
}

/** What was asked of the sandbox since it started. */
export interface SandboxCounters {
  passwordGrants: number;
  refreshGrants: number;
  /** Token requests that were answered with an error. */
  rejectedGrants: number;
  /** Each page counts. */
  lists: number;
  projectReads: number;
  /** Requests with a token that is missing, expired or revoked. */
  refusedTokens: number;
  /** TCP connections opened. */
  connections: number;
}

/** A running Project Service with its identity provider. */
export interface Sandbox {
  /** The settings with which to read it; pass them as `connection`. */
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
  /** What it serves. Change it as you like while it runs. */
  projects: SandboxProject[];
  /** Projects that it lists but answers with 403 when read. */
  readonly forbiddenProjectIds: Set<string>;
  /** Time that it takes before each answer, in ms. Default 0. */
  latencyMs: number;
  readonly counters: SandboxCounters;
  /** Every token that it issued, to search logs for. */
  readonly issuedTokens: readonly string[];
  /** Makes it refuse all access tokens that it issued. */
  revokeAccessTokens(): void;
  /** Makes it refuse all refresh tokens that it issued. */
  revokeRefreshTokens(): void;
  close(): Promise<void>;
}

const apiPath = "/api/project/v5";

/**
 * Starts an embedded Project Service on loopback: the token endpoint, the list and the single read,
 * with the status codes of the real one.
 *
 * @example
 * const sandbox = await startSandbox();
 * const shop = await getProject({ name: "shop" }, { connection: sandbox.connection });
 * await sandbox.close();
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const {
    port = 0,
    realm = "hosting",
    clientId = "pulumi",
    clientSecret,
    username = "reader",
    password = randomBytes(16).toString("hex"),
    tokenLifetimeSeconds = 900,
    refreshTokenLifetimeSeconds = 900,
    pageSize,
    acceptsToken = (accessToken) => identityProvider.accepts(accessToken),
  } = options;
  const identityProvider = new IdentityProvider({
    realm,
    clientId,
    clientSecret,
    username,
    password,
    tokenLifetimeSeconds,
    refreshTokenLifetimeSeconds,
  });
  const counters: SandboxCounters = {
    passwordGrants: 0,
    refreshGrants: 0,
    rejectedGrants: 0,
    lists: 0,
    projectReads: 0,
    refusedTokens: 0,
    connections: 0,
  };
  const tokenPath = `/auth/realms/${encodeURIComponent(realm)}/protocol/openid-connect/token`;

  async function answerTo(request: IncomingMessage): Promise<Answer> {
    const path = (request.url ?? "/").replace(/\?.*$/, "");
    if (path === tokenPath) return answerToGrant(request);
    if (path.startsWith("/auth/realms/")) return problem(404, "Realm does not exist");
    if (!path.startsWith(`${apiPath}/projects`)) return problem(404, "Not Found");
    if (request.method !== "GET") return problem(405, "Method Not Allowed");
    if (!(await acceptsToken(bearerToken(request)))) {
      counters.refusedTokens++;
      return problem(401, "Unauthorized");
    }
    const rest = path.slice(`${apiPath}/projects`.length);
    if (rest === "") return listProjects(request.url ?? "");
    return rest.startsWith("/") ? readProject(rest.slice(1)) : problem(404, "Not Found");
  }

  async function answerToGrant(request: IncomingMessage): Promise<Answer> {
    if (request.method !== "POST") return problem(405, "Method Not Allowed");
    const form = new URLSearchParams(await textOf(request));
    if (form.get("grant_type") === "password") counters.passwordGrants++;
    if (form.get("grant_type") === "refresh_token") counters.refreshGrants++;
    const answer = identityProvider.answer(form);
    if (answer.status !== 200) counters.rejectedGrants++;
    return answer;
  }

  function listProjects(address: string): Answer {
    counters.lists++;
    return { status: 200, body: listPage(sandbox.projects, pageSize, address) };
  }

  function readProject(segment: string): Answer {
    counters.projectReads++;
    const projectId = decode(segment);
    const project = sandbox.projects.find(({ _id }) => _id === projectId);
    if (project === undefined) return problem(404, "Not Found");
    if (sandbox.forbiddenProjectIds.has(project._id)) return problem(403, "Forbidden");
    return { status: 200, body: project };
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, body } = await answerTo(request);
    if (sandbox.latencyMs > 0) await sleep(sandbox.latencyMs);
    const text = JSON.stringify(body);
    response.writeHead(status, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(text),
      "cache-control": "no-store",
    });
    response.end(text);
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  server.on("connection", () => counters.connections++);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });

  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const connection = {
    baseUrl: address,
    authUrl: address,
    realm,
    clientId,
    ...(clientSecret === undefined ? {} : { clientSecret }),
    username,
    password,
  };
  const sandbox: Sandbox = {
    connection,
    environment: Object.fromEntries(
      Object.entries(connection).map(([key, value]) => [environmentVariable(key), value]),
    ),
    projects: options.projects ?? sampleProjects(),
    forbiddenProjectIds: new Set(),
    latencyMs: 0,
    counters,
    issuedTokens: identityProvider.issued,
    revokeAccessTokens: () => identityProvider.revokeAccessTokens(),
    revokeRefreshTokens: () => identityProvider.revokeRefreshTokens(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return sandbox;
}

function environmentVariable(key: string): string {
  return `PROJECT_SERVICE_${key.replace(/[A-Z]/g, "_$&").toUpperCase()}`;
}

function bearerToken(request: IncomingMessage): string {
  return /^Bearer (.+)$/i.exec(request.headers.authorization ?? "")?.[1] ?? "";
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function problem(status: number, error: string): Answer {
  return { status, body: { error } };
}
