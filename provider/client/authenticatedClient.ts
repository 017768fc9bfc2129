import { Axios, type AxiosAdapter, AxiosHeaders } from "axios";
import type { AccessTokens } from "../auth/accessTokens.js";
import { errorOfStatus } from "../errors/statusErrors.js";
import { ExchangeError, RetryableError } from "../errors/internalErrors.js";
import { type RequestContext, translateError } from "../errors/requestErrors.js";
import { type Clock, sleep, systemClock } from "../http/clock.js";
import type { HttpResponse } from "../http/httpRequest.js";
import { isRetryableError, isRetryableStatus, type Retry, retryAfterMs } from "../http/retry.js";
import { maxApiResponseBytes, startLimit, type TimeLimit, timeoutError } from "../http/limits.js";
import type { Transport } from "../http/transport.js";
import type { Settings } from "../settings/resolveSettings.js";
import { ReadQueue, showsWorkingService } from "./readQueue.js";

/** Called when a request is sent, and again for each retry. */
export type SendListener = () => void;

const noHeaders = new AxiosHeaders();

interface Read {
  readonly context: RequestContext;
  readonly onSend: SendListener;
  /** Whether a failed attempt should be repeated. */
  readonly mayRetry: () => Promise<boolean>;
}

/** Requests the project API: with limited concurrency, with a token, and with retries. */
export class AuthenticatedClient {
  /**
   * Not from `axios.create`: headers that a program puts into `axios.defaults`, such as tokens of its
   * other services, must not reach this service.
   */
  private readonly axios = new Axios({});
  private readonly queue: ReadQueue;

  constructor(
    private readonly settings: Settings,
    private readonly tokens: AccessTokens,
    private readonly retry: Retry,
    private readonly transport: Transport,
    private readonly clock: Clock = systemClock,
  ) {
    const probeUrl = `${settings.apiUrl}/projects`;
    this.queue = new ReadQueue(settings.maxConcurrency, () => this.isWorking(probeUrl));
  }

  /**
   * Returns the response to a request if its status is 200. Throws a ProjectServiceError otherwise.
   *
   * The limit of the request starts when there is a token. Signing in has limits of its own.
   */
  get(context: RequestContext, onSend: SendListener): Promise<HttpResponse> {
    return this.queue.run(async (mayRetry) => {
      const token = await this.tokens.get();
      return this.getWithRetries({ context, onSend, mayRetry }, token);
    });
  }

  /**
   * Runs several requests that belong together, such as the pages of a list. They take one place of
   * the queue, and share a limit of time that starts when there is a token.
   *
   * @param read receives the function that sends a request.
   */
  getPages<T>(
    durationMs: number,
    read: (get: (context: RequestContext) => Promise<HttpResponse>) => Promise<T>,
    onSend: SendListener,
  ): Promise<T> {
    return this.queue.run(async (mayRetry) => {
      let token: string | undefined = await this.tokens.get();
      const limit = startLimit("list", this.clock.monotonicMs(), durationMs);
      return read((context) => {
        const firstToken = token;
        token = undefined;
        return this.getWithRetries({ context, onSend, mayRetry }, firstToken, limit);
      });
    });
  }

  /**
   * Requests the first page of the list, because a project may be the problem. A second attempt follows
   * in the time of the first one, with a new token if the first one was rejected.
   */
  private isWorking(url: string): Promise<boolean> {
    return this.retry
      .once(async (limit) => {
        const token = await this.within(limit, this.tokens.get());
        const { status, headers } = await this.send(url, token, limit).catch(statusOf);
        if (showsWorkingService(status)) return true;
        const newToken =
          status === 401
            ? await this.within(limit, this.tokens.replaceRejected(token))
            : await this.tokenAfter(retryAfterMs(headers["retry-after"]), limit);
        if (newToken === undefined) return false;
        const second = await this.send(url, newToken, limit).catch(statusOf);
        return showsWorkingService(second.status);
      })
      .catch(() => false);
  }

  /** Returns a token after a wait, or undefined if the limit ends before. */
  private async tokenAfter(waitMs = 100, limit: TimeLimit): Promise<string | undefined> {
    if (this.clock.monotonicMs() + waitMs >= limit.endMs) return undefined;
    await sleep(this.clock, waitMs);
    return this.within(limit, this.tokens.get());
  }

  private getWithRetries(
    { context, onSend, mayRetry }: Read,
    firstToken: string | undefined,
    outerLimit?: TimeLimit,
  ): Promise<HttpResponse> {
    let knownToken = firstToken;
    return this.retry.run(
      (limit) => {
        const token = knownToken;
        knownToken = undefined;
        return this.getOnce(context, token, onSend, limit);
      },
      outerLimit,
      (limit) => this.within(limit, mayRetry()),
    );
  }

  private async getOnce(
    context: RequestContext,
    knownToken: string | undefined,
    onSend: SendListener,
    limit: TimeLimit,
  ): Promise<HttpResponse> {
    try {
      const token = knownToken ?? (await this.within(limit, this.tokens.get()));
      onSend();
      let response = await this.send(context.url, token, limit);
      if (response.status === 401) {
        const newToken = await this.within(limit, this.tokens.replaceRejected(token));
        if (newToken !== undefined) response = await this.send(context.url, newToken, limit);
      }
      const { status } = response;
      this.queue.recordResponse(status);
      if (status === 200) return response;
      const error = errorOfStatus(status, context);
      if (!isRetryableStatus(status)) throw error;
      const retryAfter = response.headers["retry-after"];
      throw new RetryableError(error, retryAfterMs(retryAfter, this.clock.wallMs()));
    } catch (error) {
      if (error instanceof RetryableError) throw error;
      const translated = translateError(error, context);
      throw isRetryableError(error) ? new RetryableError(translated) : translated;
    }
  }

  /**
   * Resolves with the response, whatever its status. Rejects with what the transport rejects with.
   *
   * The access token is not in axios's config, because axios keeps the config in every response and
   * error. For axios, the whole response is data: it would copy each header.
   */
  private async send(url: string, accessToken: string, limit: TimeLimit): Promise<HttpResponse> {
    const adapter: AxiosAdapter = async (config) => {
      const response = await this.transport.send({
        method: "GET",
        url,
        proxy: this.settings.apiProxy,
        headers: { accept: "application/json", authorization: `Bearer ${accessToken}` },
        maxBytes: maxApiResponseBytes,
        limit,
      });
      return {
        data: response,
        status: response.status,
        statusText: "",
        headers: noHeaders,
        config,
      };
    };
    // `axios.get` would merge its config twice.
    return (await this.axios.request<HttpResponse>({ url, adapter })).data;
  }

  /** Waits until the limit ends. What it waits for, such as a sign-in, has limits of its own. */
  private within<T>(limit: TimeLimit, promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const stopTimer = this.clock.startTimer(limit.endMs - this.clock.monotonicMs(), () =>
        reject(timeoutError(limit)),
      );
      promise.then(resolve, reject).finally(stopTimer);
    });
  }
}

/** Returns what a response said before it failed. The status is 503 if there was none. */
function statusOf(error: unknown): Pick<HttpResponse, "status" | "headers"> {
  const status = error instanceof ExchangeError ? error.status : undefined;
  return { status: status ?? 503, headers: {} };
}
