import { Axios, type AxiosAdapter, AxiosHeaders, type AxiosResponse } from "axios";
import type { HttpResponse } from "./httpRequest.js";
import { maxApiResponseBytes, type TimeLimit } from "./limits.js";
import type { Transport } from "./transport.js";

/** A response of the project API: its status, its body, and the headers that are used. */
export type ApiResponse = AxiosResponse<Buffer>;

export interface AxiosClient {
  /** Resolves with the response, whatever its status. Rejects with what the transport rejects with. */
  get(url: string, accessToken: string, limit: TimeLimit): Promise<ApiResponse>;
}

/**
 * Creates the axios client of the project API, on top of our transport.
 *
 * It uses the class `Axios`, not `axios.create`: headers that a program puts into `axios.defaults`,
 * such as tokens of its other services, must not reach this service. The access token is not in
 * axios's config, because axios keeps the config in every response and error.
 *
 * @param headerNames the headers that a response keeps, in lower case.
 */
export function createAxiosClient(
  transport: Transport,
  proxy: string | undefined,
  headerNames: readonly string[],
): AxiosClient {
  const axios = new Axios({});
  return {
    get(url, accessToken, limit) {
      const adapter: AxiosAdapter = async (config) => {
        const response = await transport.send({
          method: "GET",
          url,
          proxy,
          headers: { accept: "application/json", authorization: `Bearer ${accessToken}` },
          maxBytes: maxApiResponseBytes,
          limit,
        });
        return {
          data: response.body,
          status: response.status,
          statusText: "",
          headers: usedHeaders(response, headerNames),
          config,
        };
      };
      // `axios.get` would merge its config twice.
      return axios.request<Buffer>({ url, adapter });
    },
  };
}

const noHeaders = new AxiosHeaders();

/** Keeps only the headers that are used: axios would copy every one of them. */
function usedHeaders(
  { headers }: HttpResponse,
  names: readonly string[],
): AxiosResponse["headers"] {
  let used = noHeaders;
  for (const name of names) {
    const value = headers[name];
    if (value === undefined) continue;
    if (used === noHeaders) used = new AxiosHeaders();
    used.set(name, String(value));
  }
  return used;
}
