import type { TokenEndpoint, TokenSet } from "../../../provider/auth/tokenCache.js";
import { errorOfLoginStatus, errorOfRejection } from "../../../provider/errors/statusErrors.js";
import { RetryableError, SignInRejectedError } from "../../../provider/errors/internalErrors.js";
import { type RequestContext, translateError } from "../../../provider/errors/requestErrors.js";
import { isRetryableSignInError, isRetryableSignInStatus } from "../../../provider/http/retry.js";
import type { TimeLimit } from "../../../provider/http/limits.js";
import type { TokenRequest } from "./events.js";
import type { ObservedRetry } from "./observedRetry.js";
import { SimulatedNetwork } from "./simulatedNetwork.js";
import type { SimulatedService } from "./simulatedService.js";
import type { World } from "./world.js";

const context: RequestContext = {
  operation: "Signing in",
  url: "https://login.example.com/token",
  urlSetting: "authUrl",
};

/**
 * Behaves like provider/auth/tokenEndpoint.ts without openid-client, which would take too long here.
 * The same failures become the same errors, and the same failures are retried.
 */
export function createSimulatedTokenEndpoint(
  world: World,
  service: SimulatedService,
  retry: ObservedRetry,
): TokenEndpoint {
  const network = new SimulatedNetwork(world);

  async function request(
    kind: TokenRequest["kind"],
    token: string,
    limit: TimeLimit,
    respond: () => TokenSet | undefined,
  ): Promise<TokenSet> {
    try {
      const sent = { kind, path: "token", token, limit, attempt: retry.attemptOf(limit) };
      const { status, retryAfterSeconds, body } = await network.send(sent, () => {
        const tokenSet = respond();
        return { status: tokenSet === undefined ? 400 : 200, body: tokenSet };
      });
      if (body !== undefined) return body;
      const rejection =
        status === 400 && errorOfRejection(400, { error: "invalid_grant" }, context);
      if (rejection) throw new SignInRejectedError(rejection);
      const error = errorOfLoginStatus(status, context);
      if (!isRetryableSignInStatus(status)) throw error;
      throw new RetryableError(error, retryAfterSeconds && retryAfterSeconds * 1_000);
    } catch (error) {
      if (error instanceof RetryableError || error instanceof SignInRejectedError) throw error;
      const translated = translateError(error, context);
      throw isRetryableSignInError(error) ? new RetryableError(translated) : translated;
    }
  }

  async function observed(
    kind: TokenRequest["kind"],
    start: () => Promise<TokenSet>,
  ): Promise<TokenSet> {
    const tokenRequest: TokenRequest = { kind };
    world.observer({ type: "token request started", request: tokenRequest });
    try {
      return (tokenRequest.tokenSet = await start());
    } finally {
      world.observer({ type: "token request ended", request: tokenRequest });
    }
  }

  return {
    signIn: () =>
      observed("password", () =>
        retry.run((limit) => request("password", "", limit, () => service.signIn())),
      ),
    refresh: (token) =>
      observed("refresh", () =>
        retry.once((limit) => request("refresh", token, limit, () => service.renew(token))),
      ),
  };
}
