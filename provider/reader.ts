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
  /** Reads that failed for good since the service last answered. */
  private failedInARow = 0;

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
      try {
        return await this.retry.run((remainingMs) =>
          this.getOnce(undertaking, onSend, remainingMs),
        );
      } catch (error) {
        // One project alone may be what fails. After two, with no answer in between, those that
        // wait would only fail the same way, one after the other.
        if (isOutage(error) && ++this.failedInARow > 1) this.slots.failWaiting(ofAll(error));
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
      const endMs = performance.now() + remainingMs;
      const get = (accessToken: string) =>
        this.http.get(undertaking.url, accessToken, Math.max(1, endMs - performance.now()));
      const token = await this.tokens.accessToken();
      onSend();
      let answer = await get(token);
      if (answer.status === 401) {
        const newToken = await this.tokens.accessTokenAfter(token);
        answer = await get(newToken);
      }
      if (answer.status < 500) this.failedInARow = 0;
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

/** The error of reads that were not tried: one object, which Pulumi prints once. */
function ofAll({ code, message, status }: ProjectServiceError): ProjectServiceError {
  return new ProjectServiceError(code, `The service cannot be read: ${message}`, { status });
}

const outageCodes = new Set<ProjectServiceErrorCode>([
  "LOGIN_UNAVAILABLE",
  "LOGIN_RESPONSE_INVALID",
  "SERVICE_UNAVAILABLE",
  "UNREACHABLE",
  "TLS_FAILED",
  "TIMEOUT",
]);
