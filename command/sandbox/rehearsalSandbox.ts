import type { IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { JsonResponse } from "../../sandbox/identityProvider.js";
import type { SandboxOptions } from "../../sandbox/index.js";
import { SandboxServer } from "../../sandbox/sandboxServer.js";

/** How a sandbox lets people rehearse an outage. */
export interface Rehearsal {
  /** Delay before each response. */
  readonly delayMs?: number | undefined;
  /** So many requests a second get a response. The others get 429, without `Retry-After`. */
  readonly rateLimit?: number | undefined;
}

/** A sandbox that is slow, or limits the rate of requests. Sign-ins have no limit. */
export class RehearsalSandbox extends SandboxServer {
  private second = 0;
  private requests = 0;

  constructor(
    options: SandboxOptions,
    private readonly rehearsal: Rehearsal = {},
  ) {
    super(options);
  }

  protected override async responseTo(request: IncomingMessage): Promise<JsonResponse> {
    const { delayMs = 0, rateLimit = Infinity } = this.rehearsal;
    if (delayMs > 0) await sleep(delayMs, undefined, { ref: false });
    const isSignIn = request.url?.startsWith("/auth/");
    return isSignIn || this.countRequest() <= rateLimit
      ? super.responseTo(request)
      : { status: 429, body: { error: "Too Many Requests" } };
  }

  /** Returns how many requests there were in this second. */
  private countRequest(): number {
    const second = Math.floor(performance.now() / 1000);
    if (second !== this.second) this.requests = 0;
    this.second = second;
    return ++this.requests;
  }
}
