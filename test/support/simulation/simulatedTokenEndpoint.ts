import { Transient } from "../../../provider/retry.js";
import type { TimeLimit } from "../../../provider/timeLimits.js";
import type { Grant, Grants } from "../../../provider/tokenCache.js";
import { isConnectionRefusal } from "../../../provider/transportFaults.js";
import {
  errorOfLoginStatus,
  errorOfOAuth,
  translateError,
  type Undertaking,
} from "../../../provider/translateError.js";
import type { TokenRequest } from "./events.js";
import type { ObservedRetry } from "./observedRetry.js";
import { SimulatedNetwork } from "./simulatedNetwork.js";
import type { SimulatedService } from "./simulatedService.js";
import type { World } from "./world.js";

const undertaking: Undertaking = {
  doing: "Signing in",
  url: "https://login.example.com/token",
  addressKey: "authUrl",
};

/**
 * Behaves like provider/signIn.ts, without openid-client, which takes too long here. The same
 * failures become the same errors, and the same ones are retried.
 */
export function createSimulatedTokenEndpoint(
  world: World,
  service: SimulatedService,
  retry: ObservedRetry,
): Grants {
  const network = new SimulatedNetwork(world);

  async function request(
    kind: TokenRequest["kind"],
    token: string,
    limit: TimeLimit,
    respond: () => Grant | undefined,
  ): Promise<Grant> {
    try {
      const sent = { kind, path: "token", token, limit, attempt: retry.attemptOf(limit) };
      const { status, retryAfterSeconds, body } = await network.send(sent, () => {
        const tokenSet = respond();
        return { status: tokenSet === undefined ? 400 : 200, body: tokenSet };
      });
      if (body !== undefined) return body;
      if (status === 400) throw errorOfOAuth({ status, error: "invalid_grant" }, undertaking);
      const error = errorOfLoginStatus(status, undertaking);
      if (status !== 429 && status !== 503) throw error;
      throw new Transient(error, retryAfterSeconds && retryAfterSeconds * 1_000);
    } catch (error) {
      if (error instanceof Transient) throw error;
      const translated = translateError(error, undertaking);
      throw isConnectionRefusal(error) ? new Transient(translated) : translated;
    }
  }

  async function observed(kind: TokenRequest["kind"], ask: () => Promise<Grant>): Promise<Grant> {
    const tokenRequest: TokenRequest = { kind };
    world.observer({ type: "token request started", request: tokenRequest });
    try {
      return (tokenRequest.tokenSet = await ask());
    } finally {
      world.observer({ type: "token request ended", request: tokenRequest });
    }
  }

  return {
    signIn: () =>
      observed("password", () =>
        retry.run((limit) => request("password", "", limit, () => service.signIn())),
      ),
    renew: (token) =>
      observed("refresh", () =>
        retry.once((limit) => request("refresh", token, limit, () => service.renew(token))),
      ),
  };
}
