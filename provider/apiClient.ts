import { Axios, type AxiosAdapter, AxiosHeaders, type AxiosResponse } from "axios";
import type { TimeLimit } from "./timeLimits.js";
import type { IncomingAnswer, OutgoingRequest, Transport } from "./transport.js";

const maxAnswerBytes = 10 * 1024 * 1024;

/** Status, body, and of the headers those that are of use. */
export type ApiResponse = AxiosResponse<Buffer>;

/** Every answer resolves, whatever its status, with its bytes as `data`. */
export interface ApiClient {
  /**
   * @param url absolute.
   * @param limit ends the request.
   */
  get(url: string, accessToken: string, limit: TimeLimit): Promise<ApiResponse>;
}

/**
 * axios for the project API, over our transport. What the transport rejects with passes unchanged.
 *
 * Made by the class, not by `axios.create`: what a program sets in `axios.defaults`, headers with
 * its other services' tokens for instance, is not for this service. The access token is no part of
 * axios's config, which it keeps in every answer and error, and would copy header by header.
 */
export function createApiClient(transport: Transport, proxy: string | undefined): ApiClient {
  const axios = new Axios({});
  let last: { readonly token: string; readonly headers: OutgoingRequest["headers"] } | undefined;

  /** One object a token, which the transport has to look at once. */
  function headersWith(token: string): OutgoingRequest["headers"] {
    if (last?.token !== token) {
      last = { token, headers: { accept: "application/json", authorization: `Bearer ${token}` } };
    }
    return last.headers;
  }

  return {
    get(url, accessToken, limit) {
      const adapter: AxiosAdapter = async (config) => {
        const answer = await transport.send({
          method: "GET",
          url,
          proxy,
          headers: headersWith(accessToken),
          maxBytes: maxAnswerBytes,
          limit,
        });
        return {
          data: answer.body,
          status: answer.status,
          statusText: "",
          headers: usefulHeaders(answer),
          config,
        };
      };
      // Not `axios.get`, which merges its config twice.
      return axios.request<Buffer>({ url, adapter });
    },
  };
}

const usedHeaders = ["retry-after", "link", "x-total-count"];
const noHeaders = new AxiosHeaders();

/** axios would copy them all. */
function usefulHeaders({ headers }: IncomingAnswer): AxiosResponse["headers"] {
  const present = usedHeaders.filter((name) => headers[name] !== undefined);
  if (present.length === 0) return noHeaders;
  return new AxiosHeaders(Object.fromEntries(present.map((name) => [name, String(headers[name])])));
}
