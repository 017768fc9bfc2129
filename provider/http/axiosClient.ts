import { Axios, type AxiosAdapter } from "axios";
import type { HttpResponse } from "./httpRequest.js";
import { maxApiResponseBytes, type TimeLimit } from "./limits.js";
import type { Transport } from "./transport.js";

export interface AxiosClient {
  /** Resolves with the response, whatever its status. Rejects with what the transport rejects with. */
  get(url: string, accessToken: string, limit: TimeLimit): Promise<HttpResponse>;
}

/**
 * Creates the axios client of the project API, on top of our transport.
 *
 * It uses the class `Axios`, not `axios.create`: headers that a program puts into `axios.defaults`,
 * such as tokens of its other services, must not reach this service. The access token is not in
 * axios's config, because axios keeps the config in every response and error. For axios, the whole
 * response is data: it would copy each header.
 */
export function createAxiosClient(transport: Transport, proxy: string | undefined): AxiosClient {
  const axios = new Axios({});
  return {
    async get(url, accessToken, limit) {
      const adapter: AxiosAdapter = async (config) => {
        const response = await transport.send({
          method: "GET",
          url,
          proxy,
          headers: { accept: "application/json", authorization: `Bearer ${accessToken}` },
          maxBytes: maxApiResponseBytes,
          limit,
        });
        return { data: response, status: response.status, statusText: "", headers: {}, config };
      };
      // `axios.get` would merge its config twice.
      return (await axios.request<HttpResponse>({ url, adapter })).data;
    },
  };
}
