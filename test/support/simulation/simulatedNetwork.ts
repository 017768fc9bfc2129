import {
  TransportError,
  type TransportErrorKind,
} from "../../../provider/errors/internalErrors.js";
import { timeoutError } from "../../../provider/http/limits.js";
import type { SentRequest } from "./events.js";
import { drawTrouble, type Trouble, troublesOf } from "./troubles.js";
import type { World } from "./world.js";

export interface SimulatedResponse<T> {
  readonly status: number;
  readonly retryAfterSeconds?: number | undefined;
  /** Only with status 200. */
  readonly body?: T | undefined;
}

/** Carries requests to the service and responses back, with delays and with the troubles of the plan. */
export class SimulatedNetwork {
  constructor(private readonly world: World) {}

  async send<T>(
    sent: Omit<SentRequest, "trouble">,
    respond: () => SimulatedResponse<T>,
  ): Promise<SimulatedResponse<T>> {
    const { random, clock, observer, plan } = this.world;
    const { kind } = sent;
    const name = drawTrouble(random, plan.troubles[kind], clock.monotonicMs());
    const trouble = name === undefined ? {} : (troublesOf[kind][name] as Trouble);
    const request: SentRequest = { ...sent, trouble: name };
    observer({ type: "request sent", request });
    request.attempt?.requests.push(request);
    try {
      const response = await this.exchange(request, trouble, respond);
      request.status = response.status;
      request.retryAfterSeconds = response.retryAfterSeconds;
      return response;
    } finally {
      observer({ type: "request ended", request });
    }
  }

  /** Settles by the end of the limit, as the real transport does. */
  private exchange<T>(
    { limit }: SentRequest,
    { fault, status, retryAfterSeconds }: Trouble,
    respond: () => SimulatedResponse<T>,
  ): Promise<SimulatedResponse<T>> {
    const { clock } = this.world;
    return new Promise((resolve, reject) => {
      const stopLimit = clock.startTimer(limit.endMs - clock.monotonicMs(), () =>
        reject(timeoutError(limit)),
      );
      const fail = (kind: TransportErrorKind, code: string): void => {
        stopLimit();
        reject(new TransportError(kind, code));
      };
      if (fault === "request lost") return;
      clock.startTimer(this.delayMs(), () => {
        if (fault === "connection refused") return fail("network", "ECONNREFUSED");
        if (fault === "certificate expired") return fail("tls", "CERT_HAS_EXPIRED");
        const response = status === undefined ? respond() : { status, retryAfterSeconds };
        if (fault === "response lost") return;
        clock.startTimer(this.delayMs(), () => {
          if (fault === "connection reset") return fail("network", "ECONNRESET");
          stopLimit();
          resolve(response);
        });
      });
    });
  }

  /** The delay of one direction. Its steps are coarse, so that events often coincide. */
  private delayMs(): number {
    const { random, plan } = this.world;
    const { stepMs, slowChance, slowMs } = plan.latency;
    if (random.chance(slowChance)) return random.integer(1, slowMs);
    return random.integer(0, 3) * stepMs;
  }
}
