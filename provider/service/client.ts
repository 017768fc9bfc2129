import {
  failureOfStatus,
  IncompleteListError,
  type RequestContext,
  requestError,
} from "../errors/requestFailure.js";
import type { Settings } from "../settings/resolveSettings.js";
import { Gate } from "./gate.js";
import { createSend, type HttpResponse, type Send } from "./http.js";
import { isRetryableStatus, retry, retryAfterMs } from "./retry.js";
import { type SharedSignIn, sharedSignIn, type SignInLimits } from "./sharedSignIn.js";
import { signInContext } from "./tokenEndpoint.js";

/** Returns the response to the GET of an address if its status is 200. */
export type Get = (url: string) => Promise<HttpResponse>;

const totalMs = 60_000;
const maxBytes = 10 * 1024 * 1024;

/** Sends the requests of one user to one service: few at a time, with a token, and with retries. */
export class Client {
  private readonly send: Send;
  private readonly tokens: SharedSignIn;
  private readonly gate: Gate;
  private readonly limits: SignInLimits;
  /** The reads whose first request was not sent yet, by key. */
  private readonly unsent = new Map<string, Promise<unknown>>();

  constructor(private readonly settings: Settings) {
    const { apiUrl: url, apiProxy: proxy, maxConcurrency, timeoutSeconds } = settings;
    this.send = createSend(settings, { url, proxy, keepAlive: true, maxBytes });
    this.tokens = sharedSignIn(settings);
    this.gate = new Gate(maxConcurrency);
    const attemptMs = timeoutSeconds * 1_000;
    this.limits = { attemptMs, totalMs: Math.max(totalMs, attemptMs) };
  }

  /**
   * Runs a read: one request, or several in one place of the gate. Equal reads share it until its first
   * request is sent, so that no response is older than its call.
   *
   * @param key names the read.
   * @param context what is read, for the message if it fails.
   * @param limitMs the time for all requests, from when there is a token. Default: for one request.
   * @throws ProjectServiceError
   */
  read<T>(
    key: string,
    context: RequestContext,
    read: (get: Get) => Promise<T>,
    limitMs = this.limits.totalMs,
  ): Promise<T> {
    const shared = this.unsent.get(key);
    if (shared !== undefined) return shared as Promise<T>;
    const own = this.gate.run(async () => {
      await this.gate.waitForPause(performance.now() + limitMs);
      await this.token();
      const endMs = performance.now() + limitMs;
      const get: Get = (url) => {
        if (this.unsent.get(key) === own) this.unsent.delete(key);
        if (performance.now() < endMs) return this.get({ ...context, url }, endMs);
        throw new IncompleteListError(`it was not read within ${limitMs / 1_000} s`);
      };
      try {
        return await read(get);
      } catch (error) {
        throw requestError(error, context);
      }
    });
    this.unsent.set(key, own);
    const forget = () => void (this.unsent.get(key) === own && this.unsent.delete(key));
    own.then(forget, forget); // it can fail before
    return own;
  }

  /** Signs in, if there is no usable token yet. */
  async token(): Promise<string> {
    try {
      return await this.tokens.token(this.limits);
    } catch (failure) {
      throw requestError(failure, signInContext(this.settings));
    }
  }

  private async get(context: RequestContext, outerEndMs: number): Promise<HttpResponse> {
    const endMs = Math.min(outerEndMs, performance.now() + this.limits.totalMs);
    let token: string | undefined;
    let hasDroppedToken = false;

    const attempt = async (): Promise<HttpResponse> => {
      await this.gate.waitForPause(endMs);
      token ??= await this.token();
      const response = await this.sendOnce(context, token, endMs);
      const { status, headers } = response;
      if (status === 200) return response;
      if (status === 401 && !hasDroppedToken) {
        hasDroppedToken = true;
        this.tokens.drop(token);
        token = undefined;
        return attempt();
      }
      throw failureOfStatus(status, context, {
        isRetryable: isRetryableStatus(status),
        retryAfterMs: retryAfterMs(headers["retry-after"]),
      });
    };

    return retry(attempt, {
      endMs,
      pause: (waitMs, failure) => this.gate.startPause(waitMs, requestError(failure, context)),
    });
  }

  private async sendOnce(
    context: RequestContext,
    token: string,
    endMs: number,
  ): Promise<HttpResponse> {
    // The end may have passed while the program blocked the event loop.
    const leftMs = Math.max(1_000, endMs - performance.now());
    const limitMs = Math.min(this.limits.attemptMs, leftMs);
    const headers = { accept: "application/json", authorization: `Bearer ${token}` };
    const response = await this.send({ context, headers, limitMs });
    this.gate.recordResponse(response.status);
    return response;
  }
}
