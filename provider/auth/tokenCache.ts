import { SignInRejectedError } from "../errors/internalErrors.js";
import type { ProjectServiceError } from "../errors/projectServiceError.js";
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
  /**
   * Signs in with the user's password.
   *
   * @throws SignInRejectedError if the identity provider rejects the sign-in.
   */
  signIn(): Promise<TokenSet>;
  /** @param isInBackground whether nobody waits. The request then does not keep the process alive. */
  refresh(refreshToken: string, isInBackground: boolean): Promise<TokenSet>;
}

const maxRenewBeforeMs = 30_000;
const maxBlockBeforeMs = 2_000;
const rejectionLastsMs = 60_000;
const maxReplacements = 10;
const replacementsLastMs = 60_000;

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
 * Keeps one access token for all callers of one identity.
 *
 * The first caller causes the sign-in, and callers that come meanwhile wait for it. Shortly before a
 * token expires, the cache renews it in the background. If it has nearly expired, callers wait for the
 * renewal. After a rejected sign-in, the cache does not sign in again for a minute, because some
 * servers lock a user after a few rejected passwords. For the same reason it replaces at most ten
 * rejected tokens in a minute with the password.
 *
 * The methods receive the token endpoint of the caller, with the caller's limits of time.
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
    { readonly error: ProjectServiceError; readonly atMs: number } | undefined;
  /** When the password was sent to replace a rejected token, on the monotonic clock. */
  private replacements: readonly number[] = [];

  constructor(private readonly clock: Pick<Clock, "monotonicMs" | "wallMs"> = systemClock) {}

  /** Whether nothing is lost if this cache is forgotten, except a token. */
  get isForgettable(): boolean {
    return this.renewal === undefined && this.recentRejection() === undefined;
  }

  /** Returns a token that the service should accept. Rejects with the error of the sign-in. */
  async accessToken(endpoint: TokenEndpoint): Promise<string> {
    return (await this.currentSession(endpoint)).tokens.accessToken;
  }

  /**
   * Returns a token to use after the service rejected `token`: an existing newer one, or a new one.
   * Returns undefined if too many tokens were rejected lately.
   */
  async replaceRejectedToken(token: string, endpoint: TokenEndpoint): Promise<string | undefined> {
    const rejected = this.session?.tokens.accessToken === token ? this.session : undefined;
    this.rejected = rejected ?? this.rejected;
    const session = await this.currentSession(endpoint);
    return session === rejected ? undefined : session.tokens.accessToken;
  }

  private async currentSession(endpoint: TokenEndpoint): Promise<Session> {
    if (this.session === undefined || this.mustRenew(this.session)) return this.renew(endpoint);
    // A sign-in may be running although the token lasts: the wall clock can jump ahead and back.
    if (this.renewal === undefined && this.shouldRenew(this.session)) {
      void this.refresh(endpoint, true);
    }
    return this.session;
  }

  private mustRenew(session: Session): boolean {
    return session === this.rejected || this.hasNearlyExpired(session);
  }

  private hasNearlyExpired({ tokens: { lifetimeMs }, start }: Session): boolean {
    return this.ageMs(start) >= lifetimeMs - Math.min(maxBlockBeforeMs, lifetimeMs * 0.1);
  }

  private shouldRenew({ tokens: { lifetimeMs }, start }: Session): boolean {
    return this.ageMs(start) >= lifetimeMs - Math.min(maxRenewBeforeMs, lifetimeMs * 0.2);
  }

  private now(): Instant {
    return { monotonicMs: this.clock.monotonicMs(), wallMs: this.clock.wallMs() };
  }

  /**
   * Uses the clock on which more time has passed. The monotonic clock stops while the machine sleeps,
   * and the wall clock can jump back.
   */
  private ageMs(start: Instant): number {
    const { monotonicMs, wallMs } = this.now();
    return Math.max(monotonicMs - start.monotonicMs, wallMs - start.wallMs);
  }

  /** Gets a new session. All callers share one request at a time. */
  private renew(endpoint: TokenEndpoint): Promise<Session> {
    this.renewal ??= this.newSession(endpoint).finally(() => {
      this.renewal = undefined;
    });
    return this.renewal;
  }

  private async newSession(endpoint: TokenEndpoint): Promise<Session> {
    return (await this.refresh(endpoint, false)) ?? (await this.signIn(endpoint));
  }

  /**
   * Gets a session with the refresh token. Returns undefined if there is no usable one, or if the
   * server does not accept it.
   *
   * The background only tries this: a password is sent only while a caller waits. A failure does no
   * harm as long as the token lasts.
   */
  private refresh(endpoint: TokenEndpoint, isInBackground: boolean): Promise<Session | undefined> {
    const refreshToken = this.usableRefreshToken();
    if (this.refreshRequest === undefined && refreshToken !== undefined) {
      this.refreshRequest = this.requestRefresh(endpoint, refreshToken, isInBackground).finally(
        () => {
          this.refreshRequest = undefined;
        },
      );
    } else if (this.refreshRequest !== undefined && !isInBackground) {
      // The request may have started in the background. Now a caller waits for it.
      return keepAliveWhile(this.refreshRequest);
    }
    return this.refreshRequest ?? Promise.resolve(undefined);
  }

  private async requestRefresh(
    endpoint: TokenEndpoint,
    refreshToken: string,
    isInBackground: boolean,
  ): Promise<Session | undefined> {
    this.usedRefreshToken = refreshToken;
    const start = this.now();
    try {
      const tokens = await endpoint.refresh(refreshToken, isInBackground);
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
  private async signIn(endpoint: TokenEndpoint): Promise<Session> {
    const rejection = this.recentRejection();
    if (rejection !== undefined) throw rejection;
    const { session } = this;
    if (session !== undefined && session === this.rejected && !this.hasNearlyExpired(session)) {
      // A service that rejects good tokens must not make us send the password again and again.
      if (!this.takeReplacement()) return session;
    }
    const start = this.now();
    try {
      this.session = { tokens: await endpoint.signIn(), start };
      return this.session;
    } catch (error) {
      if (!(error instanceof SignInRejectedError)) throw error;
      // The minute starts now, not with the sign-in, whose retries may have taken most of it.
      this.rejectedSignIn = { error: error.error, atMs: this.clock.monotonicMs() };
      throw error.error;
    }
  }

  /** By the monotonic clock: another may jump ahead, and the password would be sent too early. */
  private recentRejection(): ProjectServiceError | undefined {
    if (this.rejectedSignIn === undefined) return undefined;
    const { error, atMs } = this.rejectedSignIn;
    return this.clock.monotonicMs() - atMs < rejectionLastsMs ? error : undefined;
  }

  private takeReplacement(): boolean {
    const nowMs = this.clock.monotonicMs();
    this.replacements = this.replacements.filter((atMs) => nowMs - atMs < replacementsLastMs);
    if (this.replacements.length >= maxReplacements) return false;
    this.replacements = [...this.replacements, nowMs];
    return true;
  }
}
