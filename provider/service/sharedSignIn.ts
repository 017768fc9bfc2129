import { RequestFailure } from "../errors/requestFailure.js";
import type { Settings } from "../settings/resolveSettings.js";
import { ResultCache } from "../settings/resultCache.js";
import { waitForRetry } from "./retry.js";
import { canRetrySignIn, createSignIn, isRejection, type SignIn } from "./tokenEndpoint.js";

/** Limits of one attempt, and of all attempts together. */
export interface SignInLimits {
  readonly attemptMs: number;
  readonly totalMs: number;
}

const maxRenewBeforeMs = 30_000;
const firstRejectionMs = 60_000;
const maxRejectionMs = 3_600_000;

/** Tokens that are in use. The times are on the clock of `performance.now()`. */
interface Session {
  readonly accessToken: string;
  renewMs: number;
  readonly refreshToken: string | undefined;
  readonly refreshEndMs: number;
}

/** A rejected sign-in, which is not repeated before the end. */
interface Rejection {
  readonly failure: RequestFailure;
  readonly endMs: number;
  readonly lastsMs: number;
}

/**
 * Keeps the access token of one identity for all its callers.
 *
 * They share one sign-in. After a rejected password, no caller sends it for a minute, after the next one for two
 * minutes, and so on up to an hour: some servers lock a user after a few rejected passwords.
 */
export class SharedSignIn {
  private session: Session | undefined;
  /** Never sent again, whatever came of it: the server may have invalidated it. Some servers issue it again. */
  private usedRefreshToken: string | undefined;
  private running: Promise<string> | undefined;
  /* The largest of those that wait. */
  private attemptMs = 0;
  private totalMs = 0;
  private rejection: Rejection | undefined;

  constructor(private readonly signIn: SignIn) {}

  /** The token that the service should accept, if there is one already. */
  get present(): string | undefined {
    const { accessToken, renewMs = 0 } = this.session ?? {};
    return performance.now() < renewMs ? accessToken : undefined;
  }

  /** Returns a token that the service should accept. Rejects with a RequestFailure or an InvalidResponseError. */
  async token({ attemptMs, totalMs }: SignInLimits): Promise<string> {
    const { present } = this;
    if (present !== undefined) return present;
    this.attemptMs = Math.max(this.attemptMs, attemptMs);
    this.totalMs = Math.max(this.totalMs, totalMs);
    this.running ??= this.renew().finally(() => {
      this.running = undefined;
      this.attemptMs = this.totalMs = 0;
    });
    return this.running;
  }

  /** Forgets a token that the service rejected, unless there is a newer one. */
  drop(accessToken: string): void {
    if (this.session?.accessToken === accessToken) this.session.renewMs = 0;
  }

  private async renew(): Promise<string> {
    // The limits are fixed when an attempt starts, so callers that come together are here first.
    await new Promise(setImmediate);
    const endMs = performance.now() + this.totalMs;
    const { refreshToken, refreshEndMs = 0 } = this.session ?? {};
    const isUsable = refreshToken !== this.usedRefreshToken && performance.now() < refreshEndMs;
    if (refreshToken !== undefined && isUsable) {
      this.usedRefreshToken = refreshToken;
      try {
        return await this.request(endMs, refreshToken);
      } catch {
        // Rejected, expired or lost. The sign-in that follows works, or its error says why not.
      }
    }
    const { rejection } = this;
    if (rejection !== undefined && performance.now() < rejection.endMs) throw notSent(rejection);
    for (let attempt = 1; ; attempt++) {
      try {
        const accessToken = await this.request(endMs);
        this.rejection = undefined;
        return accessToken;
      } catch (failure) {
        if (!(failure instanceof RequestFailure)) throw failure;
        if (isRejection(failure)) this.remember(failure);
        if (!canRetrySignIn(failure)) throw failure;
        await waitForRetry(failure, attempt, endMs);
      }
    }
  }

  private async request(endMs: number, refreshToken?: string): Promise<string> {
    const startMs = performance.now();
    const limitMs = Math.min(this.attemptMs, Math.max(1_000, endMs - startMs));
    const tokens = await this.signIn(limitMs, refreshToken);
    const { accessToken, lifetimeMs, refreshLifetimeMs } = tokens;
    // The server counts lifetimes from some time after the start of the request.
    this.session = {
      accessToken,
      renewMs: startMs + lifetimeMs - Math.min(maxRenewBeforeMs, lifetimeMs * 0.2),
      refreshToken: tokens.refreshToken,
      refreshEndMs: startMs + refreshLifetimeMs,
    };
    return accessToken;
  }

  private remember(failure: RequestFailure): void {
    const lastsMs = Math.min(2 * (this.rejection?.lastsMs ?? firstRejectionMs / 2), maxRejectionMs);
    this.rejection = { failure, lastsMs, endMs: performance.now() + lastsMs };
  }
}

function notSent({ failure: { code, message, details }, endMs }: Rejection): RequestFailure {
  const end = new Date(Date.now() + endMs - performance.now()).toISOString();
  const text = `nothing was sent, because the last sign-in failed. The next one is possible from ${end} on. The reason: ${message}`;
  return new RequestFailure(code, text, details);
}

/** A rejected password is remembered for long, so many more than a process has. */
const identities = new ResultCache<SharedSignIn>(10_000);

/**
 * Returns the sign-in of an identity: who signs in, where, and by what way. Settings that differ in other things
 * share them.
 */
export function sharedSignIn(settings: Settings): SharedSignIn {
  const { tokenUrl, clientId, clientSecret, username, password, scope } = settings;
  const who = [tokenUrl, clientId, clientSecret, username, password, scope];
  const way = [settings.headers, settings.caCertificates, settings.tokenProxy];
  return identities.get([who, way], () => new SharedSignIn(createSignIn(settings)));
}
