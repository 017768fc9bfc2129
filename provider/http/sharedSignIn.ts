import { RequestFailure } from "../errors/requestFailure.js";
import type { Settings } from "../settings/resolveSettings.js";
import { ResultCache } from "../settings/resultCache.js";
import { clock, sleep } from "./clock.js";
import {
  attemptLimitMs,
  signInPolicy,
  signInWaitMs,
  spread,
  totalLimitMs,
} from "./signInPolicy.js";
import { createSignIn, type SignIn } from "./tokenEndpoint.js";

/** Tokens that are in use. Times are values of `clock.now()`. */
interface Session {
  readonly accessToken: string;
  /** Infinity once a renewal has started. */
  renewMs: number;
  endMs: number;
  /** Undefined once it was sent: the server may have invalidated it. */
  refreshToken: string | undefined;
  readonly refreshEndMs: number;
}

/** A failed sign-in, since the last success. Nothing is sent before the end. After the first one, a sign-in waits for it. */
interface Rejection {
  readonly failure: RequestFailure;
  readonly endMs: number;
  readonly isFirst: boolean;
}

/**
 * Keeps the access token of one identity for all its callers, who share one sign-in. After a rejected password, none of
 * them sends it for some time: some servers lock a user after a few.
 */
export class SharedSignIn {
  private session: Session | undefined;
  /** The sign-in for which callers wait. */
  private running: Promise<string> | undefined;
  /** The renewal beside the reads. It never rejects. */
  private renewal: Promise<unknown> | undefined;
  private rejection: Rejection | undefined;

  constructor(private readonly signIn: SignIn) {}

  /** Returns a token that the service should accept. Rejects with a RequestFailure or an InvalidResponseError. */
  async token(attemptMs: number): Promise<string> {
    const nowMs = clock.now();
    const { session } = this;
    if (session === undefined || nowMs >= session.endMs) {
      return (this.running ??= this.newToken(attemptMs).finally(() => {
        this.running = undefined;
      }));
    }
    if (nowMs >= session.renewMs) {
      session.renewMs = Infinity;
      this.renewal = this.renew(session, attemptMs);
    }
    return session.accessToken;
  }

  /** Forgets a token that the service rejected, unless there is a newer one. */
  drop(accessToken: string): void {
    if (this.session?.accessToken === accessToken) this.session.endMs = 0;
  }

  /** If a renewal fails, the reads go on until the token has expired. */
  private async renew(session: Session, attemptMs: number): Promise<void> {
    if (await this.refresh(session, attemptMs)) return;
    await this.request(attemptMs).catch((error: unknown) => this.remember(error));
  }

  private async newToken(attemptMs: number): Promise<string> {
    await this.renewal;
    const { session } = this;
    if (session !== undefined && clock.now() < session.endMs) return session.accessToken;
    const refreshed = session && (await this.refresh(session, attemptMs));
    if (refreshed !== undefined) return refreshed;
    const endMs = clock.now() + totalLimitMs(attemptMs);
    for (let attempts = 1; ; attempts++) {
      await this.endOfRejection();
      const leftMs = () => endMs - clock.now();
      try {
        return await this.request(attemptLimitMs(attemptMs, leftMs()));
      } catch (error) {
        if (this.remember(error)) continue;
        const { details = {} } = error as Partial<RequestFailure>;
        const waitMs = signInWaitMs(details, attempts, leftMs());
        if (waitMs === undefined) throw error;
        await sleep(Math.max(details.retryAfterMs ?? 0, spread(waitMs)));
      }
    }
  }

  /** Returns undefined if there is no usable refresh token, or if it was rejected or lost. */
  private async refresh(session: Session, limitMs: number): Promise<string | undefined> {
    const { refreshToken, refreshEndMs } = session;
    if (refreshToken === undefined || clock.now() >= refreshEndMs) return undefined;
    session.refreshToken = undefined;
    try {
      return await this.request(limitMs, refreshToken);
    } catch (error) {
      const isUnsent = error instanceof RequestFailure && error.details.wasSent === false;
      if (isUnsent) session.refreshToken = refreshToken;
      return undefined;
    }
  }

  private async request(limitMs: number, refreshToken?: string): Promise<string> {
    const startMs = clock.now();
    const { accessToken, lifetimeMs, ...others } = await this.signIn(limitMs, refreshToken);
    // The server counts lifetimes from some time after the start of the request.
    const endMs = startMs + lifetimeMs;
    this.session = {
      accessToken,
      endMs,
      renewMs: endMs - Math.min(signInPolicy.renewBeforeMs, lifetimeMs * 0.2),
      refreshToken: others.refreshToken,
      refreshEndMs: startMs + others.refreshLifetimeMs,
    };
    this.rejection = undefined;
    return accessToken;
  }

  /** Waits after the first rejection. After a later one, rejects. */
  private async endOfRejection(): Promise<void> {
    const { failure, isFirst, endMs = 0 } = this.rejection ?? {};
    const leftMs = endMs - clock.now();
    if (failure === undefined || leftMs <= 0) return;
    if (isFirst) return sleep(leftMs);
    const end = new Date(Date.now() + leftMs).toISOString();
    const text = `nothing was sent, because the last sign-in failed. The next attempt is possible at ${end}. A corrected password is sent at once, as is any password in a new process. The last failure: ${failure.message}`;
    throw new RequestFailure(failure.code, text, failure.details);
  }

  /**
   * Remembers a rejection. Returns whether the password may be sent once more: Keycloak's brute-force detection rejects
   * a sign-in while the same user is signing in elsewhere.
   */
  private remember(failure: unknown): boolean {
    if (!(failure instanceof RequestFailure) || !isRejection(failure)) return false;
    const { isInvalidGrant = false } = failure.details;
    const isFirst = this.rejection === undefined && isInvalidGrant;
    const lastsMs = isFirst ? between(...signInPolicy.secondMs) : signInPolicy.rejectedMs;
    this.rejection = { failure, endMs: clock.now() + lastsMs, isFirst };
    return isFirst;
  }
}

/** Whether the identity provider has looked at the credentials and rejected them. A 404 is of a gateway. */
function isRejection({ code, details: { status = 0, wasSent } }: RequestFailure): boolean {
  if (code === "LOGIN_UNAVAILABLE" || wasSent === false) return false;
  return [400, 401].includes(status) || (code === "LOGIN_REJECTED" && [200, 403].includes(status));
}

function between(least: number, longest: number): number {
  return least + Math.random() * (longest - least);
}

const identities = new ResultCache<SharedSignIn>();

/** Returns the sign-in of an identity: who signs in, where, and by what way. Other settings do not count. */
export function sharedSignIn(settings: Settings): SharedSignIn {
  const { tokenUrl, clientId, clientSecret, username, password, scope } = settings;
  const who = [tokenUrl, clientId, clientSecret, username, password, scope];
  const way = [settings.headers, settings.caCertificates, settings.tokenProxy];
  return identities.get([who, way], () => new SharedSignIn(createSignIn(settings)));
}
