import { type ApiClient, createApiClient } from "./apiClient.js";
import { ProjectServiceError, type ProjectServiceErrorCode } from "./errors.js";
import { isTransientStatus, type Retry, retryAfterMs, Transient } from "./retry.js";
import type { Settings } from "./settings.js";
import { Slots } from "./slots.js";
import type { TokenCache } from "./tokenCache.js";
import { isTransientFault, type Transport } from "./transport.js";
import { errorOfStatus, translateError, type Undertaking } from "./translateError.js";

/** Gets answers of the project API: in turn, with a token, repeated where that may help. */
export class Reader {
  private readonly http: ApiClient;
  private readonly slots: Slots;
  /** Answers of the service, of whatever kind but an outage's. */
  private answers = 0;

  constructor(
    settings: Settings,
    private readonly tokens: TokenCache,
    private readonly retry: Retry,
    transport: Transport,
  ) {
    this.http = createApiClient(transport, settings.apiProxy);
    this.slots = new Slots(settings.maxConcurrency);
  }

  /**
   * The body of a 200. Rejects with a ProjectServiceError of anything else.
   *
   * @param onSend called as the request goes out, and again at each further attempt.
   */
  get(undertaking: Undertaking, onSend: () => void): Promise<Buffer> {
    return this.slots.run(async () => {
      const answersBefore = this.answers;
      try {
        return await this.retry.run((remainingMs) =>
          this.getOnce(undertaking, onSend, remainingMs),
        );
      } catch (error) {
        // All attempts of this read failed, and nobody else had an answer meanwhile: those that
        // wait would only fail the same way, one after the other.
        if (isOutage(error) && this.answers === answersBefore) this.slots.failWaiting(error);
        throw error;
      }
    });
  }

  private async getOnce(
    undertaking: Undertaking,
    onSend: () => void,
    remainingMs: number,
  ): Promise<Buffer> {
    try {
      const token = await this.tokens.accessToken();
      onSend();
      let answer = await this.http.get(undertaking.url, token, remainingMs);
      if (answer.status === 401) {
        const newToken = await this.tokens.accessTokenAfter(token);
        answer = await this.http.get(undertaking.url, newToken, remainingMs);
      }
      if (answer.status < 500) this.answers++;
      if (answer.status === 200) return answer.data;
      const error = errorOfStatus(answer.status, undertaking);
      if (!isTransientStatus(answer.status)) throw error;
      const retryAfter = answer.headers["retry-after"] as string | undefined;
      throw new Transient(error, retryAfterMs(retryAfter));
    } catch (error) {
      if (error instanceof Transient) throw error;
      const translated = translateError(error, undertaking);
      throw isTransientFault(error) ? new Transient(translated) : translated;
    }
  }
}

/** An error that is the service's state rather than this request's. */
function isOutage(error: unknown): error is ProjectServiceError {
  return error instanceof ProjectServiceError && outageCodes.has(error.code);
}

const outageCodes = new Set<ProjectServiceErrorCode>([
  "LOGIN_UNAVAILABLE",
  "LOGIN_RESPONSE_INVALID",
  "SERVICE_UNAVAILABLE",
  "UNREACHABLE",
  "TLS_FAILED",
  "TIMEOUT",
]);
