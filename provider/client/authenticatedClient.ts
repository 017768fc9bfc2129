import type { TokenCache } from "../auth/tokenCache.js";
import { errorOfStatus } from "../errors/errorOfStatus.js";
import { RetryableError } from "../errors/internalErrors.js";
import type { RequestContext } from "../errors/requestContext.js";
import { translateError } from "../errors/translateError.js";
import { type ApiResponse, type AxiosClient, createAxiosClient } from "../http/axiosClient.js";
import type { Clock } from "../http/clock.js";
import { isRetryableError, isRetryableStatus, type Retry, retryAfterMs } from "../http/retry.js";
import { Semaphore } from "../http/semaphore.js";
import { startLimit, type TimeLimit, timeoutError } from "../http/timeLimits.js";
import type { Transport } from "../http/transport.js";
import type { Settings } from "../settings/resolveSettings.js";
import { Outage } from "./outage.js";

/** Called when a request is sent, and again for each retry. */
export type SendListener = () => void;

/** Requests the project API: with limited concurrency, with a token, and with retries. */
export class AuthenticatedClient {
  private readonly http: AxiosClient;
  private readonly semaphore: Semaphore;
  private readonly outage = new Outage();

  constructor(
    settings: Settings,
    private readonly tokens: TokenCache,
    private readonly retry: Retry,
    transport: Transport,
    private readonly clock: Clock,
  ) {
    this.http = createAxiosClient(transport, settings.apiProxy);
    this.semaphore = new Semaphore(settings.maxConcurrency);
  }

  /**
   * Returns the response to a request if its status is 200. Throws a ProjectServiceError otherwise.
   *
   * The limit of the request starts when there is a token. Signing in has limits of its own.
   */
  get(context: RequestContext, onSend: SendListener): Promise<ApiResponse> {
    return this.limited(async () => {
      const token = await this.tokens.accessToken();
      return this.getWithRetries(context, onSend, token);
    });
  }

  /**
   * Runs several requests that belong together, such as the pages of a list. They take one place of
   * the semaphore, and share a limit of time that starts when there is a token.
   *
   * @param read receives the function that sends a request.
   */
  getPages<T>(
    durationMs: number,
    read: (get: (context: RequestContext) => Promise<ApiResponse>) => Promise<T>,
    onSend: SendListener,
  ): Promise<T> {
    return this.limited(async () => {
      let token: string | undefined = await this.tokens.accessToken();
      const limit = startLimit("list", this.clock.monotonicMs(), durationMs);
      return read((context) => {
        const firstToken = token;
        token = undefined;
        return this.getWithRetries(context, onSend, firstToken, limit);
      });
    });
  }

  private limited<T>(task: () => Promise<T>): Promise<T> {
    return this.semaphore.run(async () => {
      try {
        return await task();
      } catch (error) {
        const errorOfWaiting = this.outage.recordFailure(error);
        if (errorOfWaiting !== undefined) this.semaphore.failWaiting(errorOfWaiting);
        throw error;
      }
    });
  }

  private getWithRetries(
    context: RequestContext,
    onSend: SendListener,
    firstToken: string | undefined,
    outerLimit?: TimeLimit,
  ): Promise<ApiResponse> {
    let knownToken = firstToken;
    return this.retry.run((limit) => {
      const token = knownToken;
      knownToken = undefined;
      return this.getOnce(context, token, onSend, limit);
    }, outerLimit);
  }

  private async getOnce(
    context: RequestContext,
    knownToken: string | undefined,
    onSend: SendListener,
    limit: TimeLimit,
  ): Promise<ApiResponse> {
    try {
      const token = knownToken ?? (await this.within(limit, this.tokens.accessToken()));
      onSend();
      let response = await this.http.get(context.url, token, limit);
      if (response.status === 401) {
        const newToken = await this.within(limit, this.tokens.replaceRejectedToken(token));
        response = await this.http.get(context.url, newToken, limit);
      }
      const { status } = response;
      this.outage.recordResponse(status);
      if (status === 200) return response;
      const error = errorOfStatus(status, context);
      if (!isRetryableStatus(status)) throw error;
      const retryAfter = response.headers["retry-after"] as string | undefined;
      throw new RetryableError(error, retryAfterMs(retryAfter, this.clock.wallMs()));
    } catch (error) {
      if (error instanceof RetryableError) throw error;
      const translated = translateError(error, context);
      throw isRetryableError(error) ? new RetryableError(translated) : translated;
    }
  }

  /** Waits for a token until the limit ends. A renewal has limits of its own, and goes on. */
  private within<T>(limit: TimeLimit, promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const stopTimer = this.clock.startTimer(limit.endMs - this.clock.monotonicMs(), () =>
        reject(timeoutError(limit)),
      );
      promise.then(resolve, reject).finally(stopTimer);
    });
  }
}
