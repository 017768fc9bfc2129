import { RequestFailure } from "../errors/requestFailure.js";
import type { Settings } from "../settings/resolveSettings.js";
import { ResultCache } from "../settings/resultCache.js";
import { clock, sleep } from "./clock.js";
import { attemptLimitMs, signInWaitMs, spread, totalLimitMs, waiting } from "./nextStep.js";
import { createSignIn, isOfGateway, isRejection, type SignIn } from "./tokenEndpoint.js";

/** Tokens that are in use. Times are values of `clock.now()`. */
interface Session {
  readonly accessToken: string;
  renewMs: number;
  endMs: number;
  readonly refreshToken: string | undefined;
  readonly refreshEndMs: number;
}

/** A rejected sign-in, which is not repeated before the end. */
interface Rejection {
  readonly failure: RequestFailure;
  readonly endMs: number;
  /** How many there were, one after the other. */
  readonly count: number;
}

/**
 * Keeps the access token of one identity for all its callers.
 *
 * They share one sign-in. After a rejected password, no caller sends it for some time: some servers lock a user after a
 * few rejected passwords.
 */
export class SharedSignIn {
  private session: Session | undefined;
  /** Never sent again, whatever came of it: the server may have invalidated it. Some servers issue it again. */
  private usedRefreshToken: string | undefined;
  private running: Promise<string> | undefined;
  private rejection: Rejection | undefined;

  constructor(private readonly signIn: SignIn) {}

  /**
   * Returns a token that the service should accept. Rejects with a RequestFailure or an InvalidResponseError.
   *
   * @param attemptMs the limit of an attempt. A sign-in that is under way has its own.
   */
  async token(attemptMs: number): Promise<string> {
    const { session } = this;
    if (session !== undefined && clock.now() < session.renewMs) return session.accessToken;
    return (this.running ??= this.renew(attemptMs).finally(() => {
      this.running = undefined;
    }));
  }

  /** Forgets a token that the service rejected, unless there is a newer one. */
  drop(accessToken: string): void {
    if (this.session?.accessToken === accessToken) this.session.renewMs = this.session.endMs = 0;
  }

  /** With a refresh token that was never sent, otherwise with the password. */
  private async renew(attemptMs: number): Promise<string> {
    const { refreshToken, refreshEndMs = 0 } = this.session ?? {};
    const isUsable = refreshToken !== this.usedRefreshToken && clock.now() < refreshEndMs;
    if (refreshToken !== undefined && isUsable) {
      this.usedRefreshToken = refreshToken;
      try {
        return await this.request(attemptMs, refreshToken);
      } catch (error) {
        // Rejected, expired or lost. The sign-in that follows works, or its error says why not.
        const isUnsent = error instanceof RequestFailure && error.details.wasSent === false;
        if (isUnsent) this.usedRefreshToken = undefined;
      }
    }
    const { rejection } = this;
    if (rejection !== undefined && clock.now() < rejection.endMs) {
      const present = this.keepToken(rejection.failure);
      if (present === undefined) throw unsentFailure(rejection);
      return present;
    }
    const hadToken = this.session !== undefined;
    const limitMs = hadToken ? Math.max(waiting.restartMs, attemptMs) : totalLimitMs(attemptMs);
    const endMs = clock.now() + limitMs;
    for (let attempts = 1; ; attempts++) {
      try {
        const accessToken = await this.request(attemptLimitMs(attemptMs, endMs - clock.now()));
        this.rejection = undefined;
        return accessToken;
      } catch (error) {
        const failure = error instanceof RequestFailure ? error : undefined;
        const isRemembered =
          failure !== undefined && (isRejection(failure) || isOfGateway(failure));
        if (isRemembered) this.remember(failure);
        const present = this.keepToken(failure);
        if (present !== undefined) return present;
        if (isRemembered) throw failure;
        const details = failure?.details ?? {};
        const waitMs = signInWaitMs(details, attempts, hadToken, endMs - clock.now());
        if (waitMs === undefined) throw error;
        await sleep(Math.max(details.retryAfterMs ?? 0, spread(waitMs)));
      }
    }
  }

  /** If a renewal failed and was not rejected, the present token is used until its end, or until the next renewal. */
  private keepToken(failure: RequestFailure | undefined): string | undefined {
    if (failure !== undefined && isRejection(failure)) return undefined;
    const { session } = this;
    const nowMs = clock.now();
    if (session === undefined || nowMs >= session.endMs) return undefined;
    session.renewMs = Math.min(nowMs + waiting.renewAgainMs, session.endMs);
    return session.accessToken;
  }

  private async request(limitMs: number, refreshToken?: string): Promise<string> {
    const startMs = clock.now();
    const tokens = await this.signIn(limitMs, refreshToken);
    const { accessToken, lifetimeMs, refreshLifetimeMs } = tokens;
    // The server counts lifetimes from some time after the start of the request.
    const endMs = startMs + lifetimeMs;
    this.session = {
      accessToken,
      endMs,
      renewMs: endMs - Math.min(waiting.renewBeforeMs, lifetimeMs * 0.2),
      refreshToken: tokens.refreshToken,
      refreshEndMs: startMs + refreshLifetimeMs,
    };
    return accessToken;
  }

  private remember(failure: RequestFailure): void {
    const { count = 0 } = this.rejection ?? {};
    const { rejectedMs, gatewayMs } = waiting;
    const isGateway = isOfGateway(failure);
    const lastsMs = isGateway ? gatewayMs : rejectedMs[Math.min(count, rejectedMs.length - 1)]!;
    this.rejection = {
      failure,
      count: isGateway ? count : count + 1,
      endMs: clock.now() + lastsMs,
    };
  }
}

function unsentFailure({ failure: { code, message, details }, endMs }: Rejection): RequestFailure {
  const end = new Date(Date.now() + endMs - clock.now()).toISOString();
  const text = `nothing was sent, because the last sign-in failed. The next attempt is possible at ${end}. A corrected password is sent at once, as is any password in a new process. The last failure: ${message}`;
  return new RequestFailure(code, text, details);
}

const identities = new ResultCache<SharedSignIn>();

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
