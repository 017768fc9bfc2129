import { Axios, type AxiosAdapter } from "axios";
import type { IncomingAnswer, Transport } from "./transport.js";

const maxAnswerBytes = 10 * 1024 * 1024;

export type ApiClient = InstanceType<typeof Axios>;

/**
 * An axios instance for the project API, over our transport.
 *
 * It takes absolute addresses. Every answer resolves, whatever its status, with its bytes as
 * `data`: projectApi.ts decides what they mean. What the transport rejects with passes unchanged.
 * Made by the class, not by `axios.create`: what a program sets in `axios.defaults`, headers with
 * its other services' tokens for instance, is not for this service.
 */
export function createApiClient(transport: Transport, proxy: string | undefined): ApiClient {
  const adapter: AxiosAdapter = async (config) => {
    const answer = await transport.send({
      method: "GET",
      url: config.url as string,
      proxy,
      headers: { accept: "application/json", ...config.headers } as Record<string, string>,
      maxBytes: maxAnswerBytes,
      timeoutMs: config.timeout,
    });
    return {
      data: answer.body,
      status: answer.status,
      statusText: "",
      headers: retryAfterOf(answer),
      config,
    };
  };
  return new Axios({ adapter });
}

/** The one header that is of use; axios would copy them all. */
function retryAfterOf({ headers }: IncomingAnswer): Record<string, string> {
  const retryAfter = headers["retry-after"];
  return retryAfter === undefined ? {} : { "retry-after": retryAfter };
}
