import type { ProjectServiceError } from "../errors/projectServiceError.js";
import {
  type RequestContext,
  requestFailure,
  RequestFailure,
  statusFailure,
  toProjectServiceError,
} from "../errors/requestFailure.js";
import type { Settings } from "../settings/resolveSettings.js";
import { parseJson } from "../wire/validate.js";
import { clock } from "../http/clock.js";
import { createSend, type Send } from "../http/http.js";
import { type Attempt, nextStep, noAttempts, policy } from "./policy.js";
import { Queue } from "./queue.js";
import {
  type HttpResponse,
  isRateLimited,
  isRetryableStatus,
  retryAfterMs,
} from "../http/httpResponse.js";
import { type SharedSignIn, sharedSignIn } from "../http/sharedSignIn.js";
import { attemptLimitMs, spread, totalLimitMs } from "../http/signInPolicy.js";
import { signInContext } from "../http/tokenEndpoint.js";

/** Returns the response to the GET of an address if its status is 200. */
export type Get = (url: string) => Promise<HttpResponse>;

export interface ReadSettings {
  /** The time for all requests. Default: no limit. */
  readonly limitMs?: number;
  /** Whether each request has a connection of its own, which may lead to another server. Default false. */
  readonly isFresh?: boolean;
}

/** Sends the requests of one user to one service: few at a time, with a token, and with retries. */
export class Client {
  private readonly send: Send;
  private readonly freshSend: Send;
  private readonly tokens: SharedSignIn;
  private readonly queue: Queue;
  private readonly attemptMs: number;
  /** By their addresses. */
  private readonly unsentReads = new Map<string, Promise<unknown>>();

  constructor(private readonly settings: Settings) {
    const { apiUrl: url, apiProxy: proxy, maxConcurrency, timeoutSeconds } = settings;
    this.send = createSend(settings, { url, proxy, keepAlive: true });
    this.freshSend = createSend(settings, { url, proxy, keepAlive: false });
    this.tokens = sharedSignIn(settings);
    this.attemptMs = timeoutSeconds * 1_000;
    this.queue = new Queue(maxConcurrency);
  }

  /**
   * Runs a read: one request, or several in one place of the queue. Equal reads share one until its first request is
   * sent, so that no response is older than its call. Rejects with a ProjectServiceError.
   */
  read<T>(
    context: RequestContext,
    read: (get: Get) => Promise<T>,
    { limitMs = Infinity, isFresh = false }: ReadSettings = {},
  ): Promise<T> {
    const { unsentReads } = this;
    const key = `${isFresh ? "fresh " : ""}${context.url}`;
    const shared = unsentReads.get(key);
    if (shared !== undefined) return shared as Promise<T>;
    const onSend = () => {
      if (unsentReads.get(key) === own) unsentReads.delete(key);
    };
    const send = isFresh ? this.freshSend : this.send;
    const own = this.queue.run(async () => {
      const readEndMs = clock.now() + limitMs;
      const get: Get = (url) => {
        if (clock.now() < readEndMs) return this.get(send, { ...context, url }, readEndMs, onSend);
        throw requestFailure("timeout", context, `${limitMs / 1_000} s`);
      };
      try {
        return await read(get);
      } catch (error) {
        throw toProjectServiceError(error, context);
      }
    });
    unsentReads.set(key, own);
    own.then(onSend, onSend); // it can fail before
    return own;
  }

  get slowness(): string | undefined {
    return this.queue.slowness;
  }

  async token(): Promise<string> {
    try {
      return await this.tokens.token(this.attemptMs);
    } catch (failure) {
      throw toProjectServiceError(failure, signInContext(this.settings));
    }
  }

  /** Waits for a turn, takes a token and sends, once for each attempt, until `readEndMs` at most. */
  private async get(
    send: Send,
    context: RequestContext,
    readEndMs: number,
    onSend: () => void,
  ): Promise<HttpResponse> {
    const totalMs = totalLimitMs(this.attemptMs);
    let fromMs = clock.now();
    const endMs = Math.min(readEndMs, fromMs + Math.max(totalMs, policy.longestMs));
    let history = noAttempts;
    let error: ProjectServiceError | undefined;
    for (;;) {
      await this.queue.turn(fromMs, endMs, error);
      const token = await this.token();
      onSend();
      const leftMs = () => Math.min(totalMs - history.spentMs, endMs - clock.now());
      const { response, ...attempt } = await this.attempt(send, context, token, leftMs());
      history = this.queue.record(attempt, history);
      const step = nextStep(attempt, history, leftMs());
      if (step === "done") return response as HttpResponse;
      error = attempt.error;
      if (step === "fail") throw error as ProjectServiceError;
      if (step === "newToken") {
        this.tokens.drop(token);
        history = { ...history, hasNewToken: true };
      } else fromMs = clock.now() + spread(step.waitMs);
    }
  }

  private async attempt(
    send: Send,
    context: RequestContext,
    token: string,
    leftMs: number,
  ): Promise<Attempt & { readonly response?: HttpResponse }> {
    const sentMs = clock.now();
    const limitMs = attemptLimitMs(this.attemptMs, leftMs);
    const headers = { accept: "application/json", authorization: `Bearer ${token}` };
    const times = () => ({ sentMs, endMs: clock.now() });
    try {
      const response = await send({ context, headers, limitMs });
      if (response.status !== 200) return { ...toAttempt(response, context), ...times() };
      return { status: 200, isRetryable: false, response, ...times() };
    } catch (failure) {
      const isRetryable = failure instanceof RequestFailure && failure.details.isRetryable === true;
      return { isRetryable, error: toProjectServiceError(failure, context), ...times() };
    }
  }
}

/** Returns how an attempt ended with a response whose status is not 200. */
function toAttempt({ status: received, headers, body }: HttpResponse, context: RequestContext) {
  const status = isRateLimited(received, headers) ? 429 : received;
  const details = { status: received, retryAfterMs: retryAfterMs(headers) };
  const isOfProject = context.projectId !== undefined && (status === 403 || status === 404);
  const isPage = (isOfProject || status === 403) && !isEmptyOrJson(body);
  const failure = isPage
    ? requestFailure("page", context, String(status), details)
    : statusFailure(status, context, details);
  return {
    status,
    isRetryable: isRetryableStatus(status),
    retryAfterMs: details.retryAfterMs,
    error: toProjectServiceError(failure, context, isOfProject && !isPage ? true : undefined),
  };
}

function isEmptyOrJson(body: Buffer): boolean {
  try {
    if (body.length > 0) parseJson(body);
    return true;
  } catch {
    return false;
  }
}
