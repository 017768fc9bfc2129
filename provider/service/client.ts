import {
  ForeignPageError,
  InaccessibleProjectError,
  ProjectServiceError,
} from "../errors/projectServiceError.js";
import {
  failureOfStatus,
  IncompleteListError,
  type RequestContext,
  requestError,
} from "../errors/requestFailure.js";
import type { Settings } from "../settings/resolveSettings.js";
import { parseJson } from "../wire/validate.js";
import { Gate } from "./gate.js";
import { createSend, type HttpResponse, type Send } from "./http.js";
import { isRetryableStatus, retryAfterMs, waitForRetry } from "./retry.js";
import { type SharedSignIn, sharedSignIn, type SignInLimits } from "./sharedSignIn.js";
import { signInContext } from "./tokenEndpoint.js";

/** Returns the response to the GET of an address if its status is 200. */
export type Get = (url: string) => Promise<HttpResponse>;

const totalMs = 60_000;
/** The attempts of a read that gets 503 while other reads succeed. */
const maxLimitedAttempts = 10;
const maxBytes = 10 * 1024 * 1024;

/** How a read is done. */
export interface ReadSettings {
  /** The time for all requests. Each has a limit of its own, too. Default: no limit. */
  readonly limitMs?: number;
  /** Whether each request has a connection of its own, which may lead to another server. Default false. */
  readonly isFresh?: boolean;
}

/** Sends the requests of one user to one service: few at a time, with a token, and with retries. */
export class Client {
  private readonly send: Send;
  private freshSend: Send | undefined;
  private readonly tokens: SharedSignIn;
  private readonly gate: Gate;
  private readonly limits: SignInLimits;
  /** By their keys. */
  private readonly unsentReads = new Map<string, Promise<unknown>>();

  constructor(private readonly settings: Settings) {
    const { maxConcurrency, timeoutSeconds } = settings;
    this.send = this.createSend(true);
    this.tokens = sharedSignIn(settings);
    const attemptMs = timeoutSeconds * 1_000;
    this.limits = { attemptMs, totalMs: Math.max(totalMs, attemptMs) };
    this.gate = new Gate(maxConcurrency, this.limits.totalMs);
  }

  /**
   * Runs a read: one request, or several in one place of the gate. Equal reads share one until its first request is
   * sent, so that no response is older than its call.
   *
   * @param key the same for equal reads.
   * @param context what is read, for the message if it fails.
   * @throws ProjectServiceError
   */
  read<T>(
    key: string,
    context: RequestContext,
    read: (get: Get) => Promise<T>,
    settings: ReadSettings = {},
  ): Promise<T> {
    const { unsentReads } = this;
    const shared = unsentReads.get(key);
    if (shared !== undefined) return shared as Promise<T>;
    const onSend = () => {
      if (unsentReads.get(key) === own) unsentReads.delete(key);
    };
    const own = this.gate.run(() => this.readInTurn(context, read, settings, onSend));
    unsentReads.set(key, own);
    own.then(onSend, onSend); // it can fail before
    return own;
  }

  private async readInTurn<T>(
    context: RequestContext,
    read: (get: Get) => Promise<T>,
    { limitMs = Infinity, isFresh = false }: ReadSettings,
    onSend: () => void,
  ): Promise<T> {
    const send = isFresh ? (this.freshSend ??= this.createSend(false)) : this.send;
    const endMs = performance.now() + limitMs;
    try {
      return await read((url) => {
        if (performance.now() < endMs) return this.get(send, { ...context, url }, endMs, onSend);
        throw new IncompleteListError(`it was not read within ${limitMs / 1_000} s`);
      });
    } catch (error) {
      throw requestError(error, context);
    }
  }

  private createSend(keepAlive: boolean): Send {
    const { apiUrl: url, apiProxy: proxy } = this.settings;
    return createSend(this.settings, { url, proxy, keepAlive, maxBytes });
  }

  /** Signs in, if there is no usable token yet. */
  async token(): Promise<string> {
    try {
      return await this.tokens.token(this.limits);
    } catch (failure) {
      throw requestError(failure, signInContext(this.settings));
    }
  }

  /** Each attempt waits for its start, takes a token and sends. */
  private async get(
    send: Send,
    context: RequestContext,
    outerEndMs: number,
    onSend: () => void,
  ): Promise<HttpResponse> {
    // Waiting for a rate limiter does not count: meanwhile other reads succeed, or the gate ends the wait.
    let endMs = performance.now() + this.limits.totalMs;
    let failedMs = -Infinity;
    let hasDroppedToken = false;
    for (let attempt = 1; ;) {
      const askedMs = performance.now();
      endMs += await this.gate.waitToStart(Math.min(endMs, outerEndMs));
      const waitedMs = performance.now() - askedMs;
      const token = this.tokens.present ?? (await this.token());
      onSend();
      const lastMs = Math.min(endMs, outerEndMs);
      let maxAttempts = 3;
      try {
        const sentMs = performance.now();
        // The end may have passed while the program blocked the event loop.
        const leftMs = Math.max(1_000, lastMs - sentMs);
        const response = await send({
          context,
          headers: { accept: "application/json", authorization: `Bearer ${token}` },
          limitMs: Math.min(this.limits.attemptMs, leftMs),
          attempt,
          waitedMs,
        });
        const { status, headers } = response;
        this.gate.recordResponse(status, sentMs);
        if (status === 200) return response;
        if (status === 401 && !hasDroppedToken) {
          hasDroppedToken = true;
          this.tokens.drop(token);
          continue;
        }
        const waitMs = retryAfterMs(headers["retry-after"]);
        const isRetryable = isRetryableStatus(status);
        const ErrorClass = errorClassOf(response, context);
        const details = { isRetryable, retryAfterMs: waitMs, ErrorClass };
        const failure = failureOfStatus(status, context, details);
        if (status !== 429 && status !== 503) throw failure;
        const error = requestError(failure, context);
        if (waitMs) this.gate.startPause(waitMs, error);
        else if (this.gate.recordRefusal(sentMs, failedMs, error)) maxAttempts = maxLimitedAttempts;
        // A 429 is no attempt.
        if (status !== 429 || performance.now() + (waitMs ?? 0) >= lastMs) throw failure;
        failedMs = performance.now();
      } catch (failure) {
        failedMs = performance.now();
        await waitForRetry(failure, attempt++, lastMs, maxAttempts);
      }
    }
  }
}

function errorClassOf({ status, body }: HttpResponse, { projectId }: RequestContext) {
  if (projectId === undefined || ![403, 404].includes(status)) return ProjectServiceError;
  return body.length === 0 || isJson(body) ? InaccessibleProjectError : ForeignPageError;
}

function isJson(body: Buffer): boolean {
  try {
    parseJson(body);
    return true;
  } catch {
    return false;
  }
}
