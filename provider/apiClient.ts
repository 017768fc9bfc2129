import axios, { type AxiosAdapter, type AxiosInstance } from "axios";
import type { Transport } from "./transport.js";

const maxAnswerBytes = 10 * 1024 * 1024;

/**
 * An axios instance for the project API, over our transport.
 *
 * It takes absolute addresses. Every answer resolves, whatever its status, with its bytes as
 * `data`: projectApi.ts decides what they mean. What the transport rejects with passes unchanged.
 */
export function createApiClient(transport: Transport): AxiosInstance {
  const adapter: AxiosAdapter = async (config) => {
    const answer = await transport.send({
      method: "GET",
      url: config.url as string,
      headers: config.headers.toJSON() as Record<string, string>,
      maxBytes: maxAnswerBytes,
    });
    return {
      data: answer.body,
      status: answer.status,
      statusText: "",
      headers: answer.headers as Record<string, string>,
      config,
    };
  };
  return axios.create({
    adapter,
    headers: { common: { Accept: "application/json" } },
    responseType: "arraybuffer",
    transformResponse: [],
  });
}
