import { failureOf, RequestFailure } from "../errors/requestFailure.js";
import type { Settings } from "../settings/resolveSettings.js";
import { ResultCache } from "../settings/resultCache.js";
import { startDeadline } from "./deadline.js";
import { retry } from "./retry.js";
import { createSignIn, type SignIn, signInContext, type TokenSet } from "./tokenEndpoint.js";

/** How long a caller waits for a token, in ms. */
export interface SignInLimits {
  /** One attempt of a sign-in. */
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

/**
 * Keeps the access token of one identity for all its callers.
 *
 * They share one sign-in, which runs until the last of them gives up. After a rejected password, no caller
 * sends it for a minute, after the next one for two minutes, and so on up to an hour: some servers lock a user
 * after a few rejected passwords.
 */
export class SharedSignIn {
  private session: Session | undefined;
  /** Never sent again, whatever came of it: the server may have invalidated it. Some servers issue it again. */
  private usedRefreshToken: string | undefined;
  private running: Promise<string> | undefined;
  /* The largest of those of its callers. */
  private attemptMs = 0;
  private attemptEndMs = 0;
  private endMs = 0;
  private rejection:
    | { readonly failure: RequestFailure; readonly endMs: number; readonly lastsMs: number }
    | undefined;
  private readonly signIn: SignIn;

  constructor(private readonly settings: Settings) {
    this.signIn = createSignIn(settings);
  }

  /** Returns a token that the service should accept. Rejects with a RequestFailure. */
  token(limits: SignInLimits): Promise<string> {
    const nowMs = performance.now();
    if (this.session !== undefined && nowMs < this.session.renewMs) {
      return Promise.resolve(this.session.accessToken);
    }
    this.attemptMs = Math.max(this.attemptMs, limits.attemptMs);
    this.attemptEndMs = Math.max(this.attemptEndMs, nowMs + limits.attemptMs);
    this.endMs = Math.max(this.endMs, nowMs + limits.totalMs);
    this.running ??= this.renew().finally(() => {
      this.running = undefined;
      this.attemptMs = this.attemptEndMs = this.endMs = 0;
    });
    return this.within(limits.totalMs, this.running);
  }

  /** Forgets a token that the service rejected, unless there is a newer one. */
  drop(accessToken: string): void {
    if (this.session?.accessToken === accessToken) this.session.renewMs = 0;
  }

  private async renew(): Promise<string> {
    const { refreshToken, refreshEndMs = 0 } = this.session ?? {};
    const isUsable = refreshToken !== this.usedRefreshToken && performance.now() < refreshEndMs;
    if (refreshToken !== undefined && isUsable) {
      this.usedRefreshToken = refreshToken;
      try {
        return await this.request(refreshToken);
      } catch {
        // Rejected, expired or lost. The sign-in that follows works, or its error says why not.
      }
    }
    const { rejection } = this;
    if (rejection !== undefined && performance.now() < rejection.endMs) throw rejection.failure;
    try {
      const accessToken = await retry(() => this.request(), {
        canRetry: canSignInAgain,
        endMs: () => this.endMs,
      });
      this.rejection = undefined;
      return accessToken;
    } catch (failure) {
      if (failure instanceof RequestFailure && isRejection(failure)) this.remember(failure);
      throw failure;
    }
  }

  private async request(refreshToken?: string): Promise<string> {
    const startMs = performance.now();
    const limitMs = () => Math.max(this.attemptMs, this.attemptEndMs - startMs);
    const tokens = await this.signIn(limitMs, refreshToken);
    this.session = sessionOf(tokens, startMs);
    return tokens.accessToken;
  }

  private remember(failure: RequestFailure): void {
    const lastsMs = Math.min(2 * (this.rejection?.lastsMs ?? firstRejectionMs / 2), maxRejectionMs);
    this.rejection = { failure, lastsMs, endMs: performance.now() + lastsMs };
  }

  private within(limitMs: number, token: Promise<string>): Promise<string> {
    return new Promise((resolve, reject) => {
      const stop = startDeadline(
        () => limitMs,
        () => reject(failureOf("timeout", signInContext(this.settings), String(limitMs / 1_000))),
      );
      token.then(resolve, reject).finally(stop);
    });
  }
}

/** The server counts lifetimes from some time after the start of the request. */
function sessionOf(tokens: TokenSet, startMs: number): Session {
  const { accessToken, lifetimeMs, refreshToken, refreshLifetimeMs = Infinity } = tokens;
  return {
    accessToken,
    renewMs: startMs + lifetimeMs - Math.min(maxRenewBeforeMs, lifetimeMs * 0.2),
    refreshToken,
    refreshEndMs: startMs + refreshLifetimeMs,
  };
}

/** Whether the identity provider has certainly not checked the password. */
function canSignInAgain({ details: { wasSent, status } }: RequestFailure): boolean {
  return wasSent === false || status === 429 || status === 503;
}

/** Whether the identity provider has looked at the credentials and rejected them. */
function isRejection({ code, details: { status = 0, wasSent } }: RequestFailure): boolean {
  const isClientError = status >= 400 && status < 500 && status !== 408 && status !== 429;
  return code === "LOGIN_REJECTED" || (isClientError && wasSent !== false);
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
  return identities.get([who, way], () => new SharedSignIn(settings));
}
