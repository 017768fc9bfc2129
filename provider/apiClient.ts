import { Axios, type AxiosAdapter, AxiosHeaders } from "axios";
import type { Transport } from "./transport.js";

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
      headers: config.headers.toJSON() as Record<string, string>,
      maxBytes: maxAnswerBytes,
      timeoutMs: config.timeout,
    });
    return {
      data: answer.body,
      status: answer.status,
      statusText: "",
      headers: answer.headers as Record<string, string>,
      config,
    };
  };
  return new Axios({
    adapter,
    headers: new AxiosHeaders({ Accept: "application/json" }),
    responseType: "arraybuffer",
  });
}
