import { type Clock, keepAliveWhile, systemClock } from "./clock.js";
import { ProjectServiceError } from "./errors.js";

/** What a sign-in or a renewal gives. Lifetimes in ms, counted from the start of the request. */
export interface Grant {
  readonly accessToken: string;
  readonly lifetimeMs: number;
  readonly refreshToken?: string | undefined;
  /** Undefined when the refresh token does not expire by itself. */
  readonly refreshLifetimeMs?: number | undefined;
}

/** The two requests by which a token is had; see signIn.ts. */
export interface Grants {
  /** With the user's password. */
  signIn(): Promise<Grant>;
  /** @param isInBackground whether nobody waits for it: then it does not keep the process alive. */
  renew(refreshToken: string, isInBackground: boolean): Promise<Grant>;
}

const maxRenewBeforeMs = 30_000;
const maxBlockBeforeMs = 2_000;
const rejectionLastsMs = 60_000;

/** When something began, by both clocks. */
interface Instant {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

interface Session {
  readonly grant: Grant;
  /** Start of the request that gave the token: the server counts from some time after it. */
  readonly start: Instant;
}

/**
 * Keeps one access token for all callers.
 *
 * The first caller causes the sign-in, whoever comes meanwhile waits for the same one. A token that
 * is about to expire is renewed in the background; one that is as good as expired, before it is used.
 * A rejected sign-in is not tried again for a minute: some servers lock a user out after a few.
 */
export class TokenCache {
  private session: Session | undefined;
  private renewal: Promise<Session> | undefined;
  /** The request with a refresh token that is under way. */
  private refresh: Promise<Session | undefined> | undefined;
  /** A refresh token is used once, whatever comes of it: the server may have used it up already. */
  private spentRefreshToken: string | undefined;
  /** The service did not accept its token; its refresh token may still be good. */
  private refused: Session | undefined;
  private rejection: { readonly error: ProjectServiceError; readonly start: Instant } | undefined;

  constructor(
    private readonly grants: Grants,
    private readonly clock: Pick<Clock, "monotonicMs" | "wallMs"> = systemClock,
  ) {}

  /** An access token that the service should accept. Rejects with what the sign-in failed with. */
  async accessToken(): Promise<string> {
    if (this.session === undefined || this.mustRenew(this.session)) {
      return (await this.renewOnce()).grant.accessToken;
    }
    if (this.isExpiring(this.session)) void this.refreshOnce(true);
    return this.session.grant.accessToken;
  }

  /** A token to use after the service refused `refused`: a newer one if there is one already. */
  async accessTokenAfter(refused: string): Promise<string> {
    if (this.session?.grant.accessToken === refused) this.refused = this.session;
    return this.accessToken();
  }

  private mustRenew(session: Session): boolean {
    const { grant, start } = session;
    const { lifetimeMs } = grant;
    if (session === this.refused) return true;
    return this.ageMs(start) >= lifetimeMs - Math.min(maxBlockBeforeMs, lifetimeMs * 0.1);
  }

  private isExpiring({ grant: { lifetimeMs }, start }: Session): boolean {
    return this.ageMs(start) >= lifetimeMs - Math.min(maxRenewBeforeMs, lifetimeMs * 0.2);
  }

  private now(): Instant {
    return { monotonicMs: this.clock.monotonicMs(), wallMs: this.clock.wallMs() };
  }

  /** By the clock that says older: the wall clock knows of sleep, the monotonic one of no jump back. */
  private ageMs(start: Instant): number {
    const { monotonicMs, wallMs } = this.now();
    return Math.max(monotonicMs - start.monotonicMs, wallMs - start.wallMs);
  }

  private renewOnce(): Promise<Session> {
    this.renewal ??= this.obtain().finally(() => {
      this.renewal = undefined;
    });
    return this.renewal;
  }

  private async obtain(): Promise<Session> {
    return (await this.refreshOnce(false)) ?? (await this.newSession());
  }

  /**
   * A session by the refresh token, if there is one that can be used and the server takes it.
   *
   * In the background this is all that is tried: a password is sent only when a caller waits. If it
   * fails, that does no harm while the token lasts, and is seen again after.
   */
  private refreshOnce(isInBackground: boolean): Promise<Session | undefined> {
    const refreshToken = this.usableRefreshToken();
    if (this.refresh === undefined && refreshToken !== undefined) {
      this.refresh = this.refreshedSession(refreshToken, isInBackground).finally(() => {
        this.refresh = undefined;
      });
    } else if (this.refresh !== undefined && !isInBackground) {
      // It may have been begun in the background, and now somebody waits for it.
      return keepAliveWhile(this.refresh);
    }
    return this.refresh ?? Promise.resolve(undefined);
  }

  private async refreshedSession(
    refreshToken: string,
    isInBackground: boolean,
  ): Promise<Session | undefined> {
    this.spentRefreshToken = refreshToken;
    const start = this.now();
    try {
      this.session = { grant: await this.grants.renew(refreshToken, isInBackground), start };
      return this.session;
    } catch {
      // Rejected, expired or lost on the way: the password still works, and if not, says why.
      return undefined;
    }
  }

  private usableRefreshToken(): string | undefined {
    if (this.session === undefined) return undefined;
    const { refreshToken, refreshLifetimeMs = Infinity } = this.session.grant;
    if (refreshToken === this.spentRefreshToken) return undefined;
    return this.ageMs(this.session.start) < refreshLifetimeMs ? refreshToken : undefined;
  }

  /** By the password, unless it was rejected a moment ago. */
  private async newSession(): Promise<Session> {
    if (this.rejection !== undefined && this.ageMs(this.rejection.start) < rejectionLastsMs) {
      throw this.rejection.error;
    }
    const start = this.now();
    try {
      this.session = { grant: await this.grants.signIn(), start };
      return this.session;
    } catch (error) {
      if (error instanceof ProjectServiceError && error.code === "LOGIN_REJECTED") {
        // Not since the start of the sign-in, whose retries may have taken most of the minute.
        this.rejection = { error, start: this.now() };
      }
      throw error;
    }
  }
}
