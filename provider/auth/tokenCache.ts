import { ProjectServiceError } from "../errors/projectServiceError.js";
import { type Clock, keepAliveWhile, systemClock } from "../http/clock.js";

/** An access token with its lifetime, and the refresh token that came with it. */
export interface TokenSet {
  readonly accessToken: string;
  /** In ms, from the start of the request. */
  readonly lifetimeMs: number;
  readonly refreshToken?: string | undefined;
  /** In ms, from the start of the request. Undefined if the refresh token does not expire. */
  readonly refreshLifetimeMs?: number | undefined;
}

/** The requests that get a token set. */
export interface TokenEndpoint {
  /** Signs in with the user's password. */
  signIn(): Promise<TokenSet>;
  /** @param isInBackground whether nobody waits. The request then does not keep the process alive. */
  refresh(refreshToken: string, isInBackground: boolean): Promise<TokenSet>;
}

const maxRenewBeforeMs = 30_000;
const maxBlockBeforeMs = 2_000;
const rejectionLastsMs = 60_000;

/** A point in time, on both clocks. */
interface Instant {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

interface Session {
  readonly tokens: TokenSet;
  /** When the request for the token started. The server counts from some time after that. */
  readonly start: Instant;
}

/**
 * Keeps one access token for all callers.
 *
 * The first caller causes the sign-in, and callers that come meanwhile wait for it. Shortly before a
 * token expires, the cache renews it in the background. If it has nearly expired, callers wait for the
 * renewal. After a rejected sign-in, the cache does not sign in again for a minute, because some
 * servers lock a user after a few rejected passwords.
 */
export class TokenCache {
  private session: Session | undefined;
  private renewal: Promise<Session> | undefined;
  private refreshRequest: Promise<Session | undefined> | undefined;
  /** A refresh token is used once, whatever the outcome: the server may have invalidated it. */
  private usedRefreshToken: string | undefined;
  /** The session whose token the service rejected. Its refresh token may still be valid. */
  private rejected: Session | undefined;
  private rejectedSignIn:
    { readonly error: ProjectServiceError; readonly start: Instant } | undefined;

  constructor(
    private readonly endpoint: TokenEndpoint,
    private readonly clock: Pick<Clock, "monotonicMs" | "wallMs"> = systemClock,
  ) {}

  /** Returns a token that the service should accept. Rejects with the error of the sign-in. */
  async accessToken(): Promise<string> {
    if (this.session === undefined || this.mustRenew(this.session)) {
      return (await this.renew()).tokens.accessToken;
    }
    // A sign-in may be running although the token lasts: the wall clock can jump ahead and back.
    if (this.renewal === undefined && this.shouldRenew(this.session)) void this.refresh(true);
    return this.session.tokens.accessToken;
  }

  /** Returns a token to use after the service rejected `token`: an existing newer one, or a new one. */
  async replaceRejectedToken(token: string): Promise<string> {
    if (this.session?.tokens.accessToken === token) this.rejected = this.session;
    return this.accessToken();
  }

  private mustRenew(session: Session): boolean {
    const { lifetimeMs } = session.tokens;
    if (session === this.rejected) return true;
    return this.ageMs(session.start) >= lifetimeMs - Math.min(maxBlockBeforeMs, lifetimeMs * 0.1);
  }

  private shouldRenew({ tokens: { lifetimeMs }, start }: Session): boolean {
    return this.ageMs(start) >= lifetimeMs - Math.min(maxRenewBeforeMs, lifetimeMs * 0.2);
  }

  private now(): Instant {
    return { monotonicMs: this.clock.monotonicMs(), wallMs: this.clock.wallMs() };
  }

  /** By the clock on which more time has passed: only the wall clock counts sleep, only the monotonic one never jumps back. */
  private ageMs(start: Instant): number {
    const { monotonicMs, wallMs } = this.now();
    return Math.max(monotonicMs - start.monotonicMs, wallMs - start.wallMs);
  }

  /** Gets a new session. All callers share one request at a time. */
  private renew(): Promise<Session> {
    this.renewal ??= this.newSession().finally(() => {
      this.renewal = undefined;
    });
    return this.renewal;
  }

  private async newSession(): Promise<Session> {
    return (await this.refresh(false)) ?? (await this.signIn());
  }

  /**
   * Gets a session with the refresh token. Returns undefined if there is no usable one, or if the
   * server does not accept it.
   *
   * The background only tries this: a password is sent only while a caller waits. A failure does no
   * harm as long as the token lasts.
   */
  private refresh(isInBackground: boolean): Promise<Session | undefined> {
    const refreshToken = this.usableRefreshToken();
    if (this.refreshRequest === undefined && refreshToken !== undefined) {
      this.refreshRequest = this.requestRefresh(refreshToken, isInBackground).finally(() => {
        this.refreshRequest = undefined;
      });
    } else if (this.refreshRequest !== undefined && !isInBackground) {
      // The request may have started in the background. Now a caller waits for it.
      return keepAliveWhile(this.refreshRequest);
    }
    return this.refreshRequest ?? Promise.resolve(undefined);
  }

  private async requestRefresh(
    refreshToken: string,
    isInBackground: boolean,
  ): Promise<Session | undefined> {
    this.usedRefreshToken = refreshToken;
    const start = this.now();
    try {
      const tokens = await this.endpoint.refresh(refreshToken, isInBackground);
      this.session = { tokens, start };
      return this.session;
    } catch {
      // Rejected, expired or lost. The sign-in that follows works, or its error says why not.
      return undefined;
    }
  }

  private usableRefreshToken(): string | undefined {
    if (this.session === undefined) return undefined;
    const { refreshToken, refreshLifetimeMs = Infinity } = this.session.tokens;
    if (refreshToken === this.usedRefreshToken) return undefined;
    return this.ageMs(this.session.start) < refreshLifetimeMs ? refreshToken : undefined;
  }

  /** Gets a session with the password, unless it was rejected less than a minute ago. */
  private async signIn(): Promise<Session> {
    const { rejectedSignIn } = this;
    if (rejectedSignIn !== undefined && this.ageMs(rejectedSignIn.start) < rejectionLastsMs) {
      throw rejectedSignIn.error;
    }
    const start = this.now();
    try {
      this.session = { tokens: await this.endpoint.signIn(), start };
      return this.session;
    } catch (error) {
      if (error instanceof ProjectServiceError && error.code === "LOGIN_REJECTED") {
        // The minute starts now, not with the sign-in, whose retries may have taken most of it.
        this.rejectedSignIn = { error, start: this.now() };
      }
      throw error;
    }
  }
}
