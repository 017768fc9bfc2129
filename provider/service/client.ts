import type { ProjectServiceError } from "../errors/projectServiceError.js";
import {
  IncompleteListError,
  type RequestContext,
  RequestFailure,
  toProjectServiceError,
} from "../errors/requestFailure.js";
import type { Settings } from "../settings/resolveSettings.js";
import { clock, sleep } from "./clock.js";
import { outcomeOf } from "./failedResponse.js";
import { createSend, type HttpRequest, type HttpResponse, type Send } from "./http.js";
import {
  attemptLimitMs,
  type History,
  nextStep,
  spread,
  totalLimitMs,
  waiting,
} from "./nextStep.js";
import { type Attempt, Queue } from "./queue.js";
import { type SharedSignIn, sharedSignIn } from "./sharedSignIn.js";
import { signInContext } from "./tokenEndpoint.js";

/** Returns the response to the GET of an address if its status is 200. */
export type Get = (url: string) => Promise<HttpResponse>;

/** The limit of a response. A page with 20,000 projects in HAL can have 12 MB. */
const maxBytes = 64 * 1024 * 1024;

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
  private readonly freshSend: Send;
  private readonly tokens: SharedSignIn;
  private readonly queue: Queue;
  private readonly attemptMs: number;
  /** By their addresses. */
  private readonly unsentReads = new Map<string, Promise<unknown>>();

  constructor(private readonly settings: Settings) {
    const { apiUrl: url, apiProxy: proxy, maxConcurrency, timeoutSeconds } = settings;
    this.send = createSend(settings, { url, proxy, keepAlive: true, maxBytes });
    this.freshSend = createSend(settings, { url, proxy, keepAlive: false, maxBytes });
    this.tokens = sharedSignIn(settings);
    this.attemptMs = timeoutSeconds * 1_000;
    this.queue = new Queue(maxConcurrency);
  }

  /**
   * Runs a read: one request, or several in one place of the queue. Equal reads share one until its first request is
   * sent, so that no response is older than its call.
   *
   * @param context what is read, for the message if it fails.
   * @throws ProjectServiceError
   */
  read<T>(
    context: RequestContext,
    read: (get: Get) => Promise<T>,
    settings: ReadSettings = {},
  ): Promise<T> {
    const { unsentReads } = this;
    const key = `${settings.isFresh ? "fresh " : ""}${context.url}`;
    const shared = unsentReads.get(key);
    if (shared !== undefined) return shared as Promise<T>;
    const onSend = () => {
      if (unsentReads.get(key) === own) unsentReads.delete(key);
    };
    const own = this.queue.run(() => this.readInTurn(context, read, settings, onSend));
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
    const send = isFresh ? this.freshSend : this.send;
    const readEndMs = clock.now() + limitMs;
    try {
      return await read((url) => {
        if (clock.now() < readEndMs) return this.get(send, { ...context, url }, readEndMs, onSend);
        throw new IncompleteListError(`it was not read within ${limitMs / 1_000} s`);
      });
    } catch (error) {
      throw toProjectServiceError(error, context);
    }
  }

  /** Says that a rate limiter slows the reads down, if one does. */
  get slowness(): string | undefined {
    return this.queue.slowness;
  }

  /** Signs in, if there is no usable token yet. */
  async token(): Promise<string> {
    try {
      return await this.tokens.token(this.attemptMs);
    } catch (failure) {
      throw toProjectServiceError(failure, signInContext(this.settings));
    }
  }

  /**
   * Waits for a turn, takes a token and sends, once for each attempt. It ends at the first of three times:
   * - `readEndMs`, when the whole read ends, of which this can be one request of several;
   * - the end of all attempts, to which the waits for a turn or a token are added;
   * - the end of all attempts and waits.
   */
  private async get(
    send: Send,
    context: RequestContext,
    readEndMs: number,
    onSend: () => void,
  ): Promise<HttpResponse> {
    const history: History = { attempts: 0, hasNewToken: false };
    const startMs = clock.now();
    const attemptsMs = totalLimitMs(this.attemptMs);
    let attemptsEndMs = startMs + attemptsMs;
    const withWaitsEndMs = startMs + Math.max(attemptsMs, waiting.longestMs);
    const turnEndMs = Math.min(readEndMs, withWaitsEndMs);
    for (;;) {
      const askedMs = clock.now();
      await this.queue.turn(turnEndMs);
      const token = await this.token();
      const waitedMs = clock.now() - askedMs;
      attemptsEndMs += waitedMs;
      const endMs = Math.min(attemptsEndMs, turnEndMs);
      onSend();
      const { response, ...attempt } = await this.attempt(send, context, token, endMs, {
        attempt: history.attempts + 1,
        waitedMs,
      });
      const othersSucceed = this.queue.record(attempt);
      const nowMs = clock.now();
      const step = nextStep(attempt, history, othersSucceed, nowMs - startMs, endMs - nowMs);
      if (step === "done") return response as HttpResponse;
      if (step === "fail") throw attempt.error as ProjectServiceError;
      if (step === "newToken") {
        this.tokens.drop(token);
        history.hasNewToken = true;
        continue;
      }
      if (step.isFree !== true) history.attempts++;
      await sleep(spread(step.waitMs));
    }
  }

  /** Sends one request. */
  private async attempt(
    send: Send,
    context: RequestContext,
    token: string,
    endMs: number,
    shown: Required<Pick<HttpRequest, "attempt" | "waitedMs">>,
  ): Promise<Attempt & { readonly response?: HttpResponse }> {
    const sentMs = clock.now();
    const { attempt } = shown;
    const limitMs = attemptLimitMs(this.attemptMs, endMs - sentMs);
    const headers = { accept: "application/json", authorization: `Bearer ${token}` };
    try {
      const response = await send({ context, headers, limitMs, ...shown });
      if (response.status === 200)
        return { status: 200, isRetryable: false, sentMs, attempt, response };
      return { ...outcomeOf(response, context), sentMs, attempt };
    } catch (failure) {
      const isRetryable = failure instanceof RequestFailure && failure.details.isRetryable === true;
      return { sentMs, attempt, isRetryable, error: toProjectServiceError(failure, context) };
    }
  }
}
