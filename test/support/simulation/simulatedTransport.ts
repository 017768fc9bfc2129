import type { Transport } from "../../../provider/http/transport.js";
import type { ObservedRetry } from "./observedRetry.js";
import { SimulatedNetwork } from "./simulatedNetwork.js";
import type { SimulatedService } from "./simulatedService.js";
import type { World } from "./world.js";

const bearer = "Bearer ";

/** The transport of the project API. */
export function createSimulatedTransport(
  world: World,
  service: SimulatedService,
  retry: ObservedRetry,
): Transport {
  const network = new SimulatedNetwork(world);
  return {
    async send({ url, headers, limit }) {
      const path = url.slice(url.indexOf("/", "https://".length));
      const token = (headers["authorization"] as string).slice(bearer.length);
      const attempt = retry.attemptOf(limit);
      const { status, retryAfterSeconds, body } = await network.send(
        { kind: "read", path, token, limit, attempt },
        () => service.read(path, token),
      );
      return {
        status,
        headers: retryAfterSeconds === undefined ? {} : { "retry-after": `${retryAfterSeconds}` },
        body: Buffer.from(JSON.stringify(body ?? {})),
      };
    },
  };
}
