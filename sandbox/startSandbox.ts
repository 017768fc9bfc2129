import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { checkOptions } from "./checkOptions.js";
import { IdentityProvider } from "./identityProvider.js";
import { PlannedFailures } from "./plannedFailures.js";
import { createRequestListener, pathsOf } from "./requestListener.js";
import { sampleProjects } from "./projects/sampleProjects.js";
import type { Sandbox, SandboxOptions } from "./sandbox.js";

/**
 * Starts an embedded Project Service on 127.0.0.1: the token endpoint, the list and the read of one
 * project, with the status codes of the real service.
 *
 * It does not keep the process alive: a program or a test run ends when its own work is done, also
 * without `close()`. A request of the same process keeps the process alive until it has its response.
 *
 * @throws TypeError for an option that does not exist, and for a wrong value. The message names the
 *   option, and contains no text of the options.
 *
 * @example
 * const sandbox = await startSandbox();
 * const shop = await getProject({ name: "shop" }, { connection: sandbox.connection });
 * await sandbox.close();
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  checkOptions(options);
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
    clientId,
    clientSecret,
    username,
    password,
    tokenLifetimeSeconds,
    refreshTokenLifetimeSeconds,
  });

  const server = createServer().listen(port, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const connection = {
    baseUrl: url,
    authUrl: url,
    realm,
    clientId,
    ...(clientSecret === undefined ? {} : { clientSecret }),
    username,
    password,
  };
  const paths = pathsOf(realm);
  const plannedFailures = new PlannedFailures(paths);
  const sandbox: Sandbox = {
    connection,
    environment: environmentOf(connection),
    projects: options.projects ?? sampleProjects(),
    forbiddenProjectIds: new Set(),
    latencyMs: 0,
    counters: {
      passwordGrants: 0,
      refreshGrants: 0,
      rejectedGrants: 0,
      lists: 0,
      projectReads: 0,
      refusedTokens: 0,
      connections: 0,
    },
    issuedTokens: identityProvider.issuedTokens,
    revokeAccessTokens: () => identityProvider.accessTokens.clear(),
    revokeRefreshTokens: () => identityProvider.refreshTokens.clear(),
    failNext: (failure) => plannedFailures.add(failure),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  server.unref();
  server.on("connection", (socket) => {
    socket.unref();
    sandbox.counters.connections++;
  });
  server.on(
    "request",
    createRequestListener({
      sandbox,
      identityProvider,
      plannedFailures,
      paths,
      pageSize,
      acceptsToken,
    }),
  );
  return sandbox;
}

function environmentOf(connection: Sandbox["connection"]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(connection).map(([key, value]) => [
      `PROJECT_SERVICE_${key.replace(/[A-Z]/g, "_$&").toUpperCase()}`,
      value,
    ]),
  );
}
