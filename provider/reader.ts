import { type ApiClient, type ApiResponse, createApiClient } from "./apiClient.js";
import type { Clock } from "./clock.js";
import { ProjectServiceError, type ProjectServiceErrorCode } from "./errors.js";
import { isTransientStatus, type Retry, retryAfterMs, Transient } from "./retry.js";
import type { Settings } from "./resolveSettings.js";
import { Slots } from "./slots.js";
import { limitFrom, type TimeLimit } from "./timeLimits.js";
import type { TokenCache } from "./tokenCache.js";
import type { Transport } from "./transport.js";
import { isTransientFault, TimeoutFault } from "./transportFaults.js";
import { errorOfStatus, translateError, type Undertaking } from "./translateError.js";

/** Gets answers of the project API: in turn, with a token, repeated where that may help. */
export class Reader {
  private readonly http: ApiClient;
  private readonly slots: Slots;
  /** Reads that failed for good since the service last answered one. */
  private failedInARow = 0;

  constructor(
    settings: Settings,
    private readonly tokens: TokenCache,
    private readonly retry: Retry,
    transport: Transport,
    private readonly clock: Clock,
  ) {
    this.http = createApiClient(transport, settings.apiProxy);
    this.slots = new Slots(settings.maxConcurrency);
  }

  /**
   * A response with status 200. Rejects with a ProjectServiceError of anything else.
   *
   * The time of a read counts from when it has its token: signing in has limits of its own.
   *
   * @param onSend called as the request goes out, and again at each further attempt.
   */
  get(undertaking: Undertaking, onSend: () => void): Promise<ApiResponse> {
    return this.inTurn(async () => {
      const token = await this.tokens.accessToken();
      return this.getWithin(undertaking, onSend, token);
    });
  }

  /**
   * Several requests that make one read, such as the pages of a list. They take one turn together,
   * and have a limit of time together, which counts from when there is a token.
   *
   * @param read is given the function that gets a response.
   */
  getMany<T>(
    durationMs: number,
    read: (get: (undertaking: Undertaking) => Promise<ApiResponse>) => Promise<T>,
    onSend: () => void,
  ): Promise<T> {
    return this.inTurn(async () => {
      let token: string | undefined = await this.tokens.accessToken();
      const limit = limitFrom("list", this.clock.monotonicMs(), durationMs);
      return read((undertaking) => {
        const knownToken = token;
        token = undefined;
        return this.getWithin(undertaking, onSend, knownToken, limit);
      });
    });
  }

  private inTurn<T>(task: () => Promise<T>): Promise<T> {
    return this.slots.run(async () => {
      try {
        return await task();
      } catch (error) {
        // One project alone may be what fails. After two, with no answer in between, those that
        // wait would only fail the same way, one after the other.
        if (isOutage(error) && ++this.failedInARow > 1) this.slots.failWaiting(ofAll(error));
        throw error;
      }
    });
  }

  private getWithin(
    undertaking: Undertaking,
    onSend: () => void,
    firstToken: string | undefined,
    outerLimit?: TimeLimit,
  ): Promise<ApiResponse> {
    let knownToken = firstToken;
    return this.retry.run((limit) => {
      const token = knownToken;
      knownToken = undefined;
      return this.getOnce(undertaking, token, onSend, limit);
    }, outerLimit);
  }

  private async getOnce(
    undertaking: Undertaking,
    knownToken: string | undefined,
    onSend: () => void,
    limit: TimeLimit,
  ): Promise<ApiResponse> {
    try {
      const token = knownToken ?? (await this.within(limit, this.tokens.accessToken()));
      onSend();
      let answer = await this.http.get(undertaking.url, token, limit);
      if (answer.status === 401) {
        const newToken = await this.within(limit, this.tokens.accessTokenAfter(token));
        answer = await this.http.get(undertaking.url, newToken, limit);
      }
      const { status } = answer;
      if (isFromTheService(status)) this.failedInARow = 0;
      if (status === 200) return answer;
      const error = errorOfStatus(status, undertaking);
      if (!isTransientStatus(status)) throw error;
      const retryAfter = answer.headers["retry-after"] as string | undefined;
      throw new Transient(error, retryAfterMs(retryAfter, this.clock.wallMs()));
    } catch (error) {
      if (error instanceof Transient) throw error;
      const translated = translateError(error, undertaking);
      throw isTransientFault(error) ? new Transient(translated) : translated;
    }
  }

  /** What `promise` gives, unless the limit ends before: a renewal of the token has its own limits. */
  private within<T>(limit: TimeLimit, promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const stopTimer = this.clock.startTimer(limit.endMs - this.clock.monotonicMs(), () =>
        reject(new TimeoutFault(limit)),
      );
      promise.then(resolve, reject).finally(stopTimer);
    });
  }
}

/** True for a status by which the service shows that it works and trusts the token. */
function isFromTheService(status: number): boolean {
  return status < 500 && status !== 401 && status !== 408 && status !== 429;
}

/** An error that is the service's state rather than this request's. */
function isOutage(error: unknown): error is ProjectServiceError {
  return error instanceof ProjectServiceError && outageCodes.has(error.code);
}

/** The error of reads that were not tried: one object, which Pulumi prints once. */
function ofAll({ code, message, status }: ProjectServiceError): ProjectServiceError {
  return new ProjectServiceError(code, `The service cannot be read: ${message}`, { status });
}

const outageCodes = new Set<ProjectServiceErrorCode>([
  "LOGIN_UNAVAILABLE",
  "LOGIN_RESPONSE_INVALID",
  "TOKEN_REFUSED",
  "RATE_LIMITED",
  "SERVICE_UNAVAILABLE",
  "UNREACHABLE",
  "TLS_FAILED",
  "TIMEOUT",
]);
