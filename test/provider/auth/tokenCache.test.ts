import assert from "node:assert/strict";
import { AccessTokens } from "../../../provider/auth/accessTokens.js";
import { SignInRejectedError } from "../../../provider/errors/internalErrors.js";
import { ProjectServiceError } from "../../../provider/errors/projectServiceError.js";
import {
  TokenCache,
  type TokenEndpoint,
  type TokenSet,
} from "../../../provider/auth/tokenCache.js";
import { failureOf } from "../../support/failure.js";
import { InstantClock } from "../../support/instantClock.js";

/** Issues the tokens "1", "2" and so on, and records the requests. */
class FakeTokenEndpoint implements TokenEndpoint {
  /** For each request, "password" or the refresh token. */
  readonly requests: string[] = [];
  lifetimeMs = 900_000;
  refreshLifetimeMs: number | undefined = 900_000;
  signInError: Error | undefined;
  refreshError: Error | undefined;
  /** Whether the last refresh was in the background. */
  isInBackground: boolean | undefined;
  private issued = 0;

  signIn = async (): Promise<TokenSet> => {
    this.requests.push("password");
    await Promise.resolve();
    if (this.signInError !== undefined) throw this.signInError;
    return this.issue();
  };

  refresh = async (refreshToken: string, isInBackground: boolean): Promise<TokenSet> => {
    this.requests.push(refreshToken);
    this.isInBackground = isInBackground;
    await Promise.resolve();
    if (this.refreshError !== undefined) throw this.refreshError;
    return this.issue();
  };

  private issue(): TokenSet {
    const number = String(++this.issued);
    return {
      accessToken: number,
      lifetimeMs: this.lifetimeMs,
      refreshToken: `refresh-${number}`,
      refreshLifetimeMs: this.refreshLifetimeMs,
    };
  }
}

function setUp() {
  const clock = new InstantClock();
  const endpoint = new FakeTokenEndpoint();
  return { clock, endpoint, cache: new AccessTokens(new TokenCache(clock), endpoint) };
}

/** Lets a renewal in the background end. */
async function endOfRenewal(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

const rejected = new ProjectServiceError("LOGIN_REJECTED", "rejected");
const unavailable = new ProjectServiceError("LOGIN_UNAVAILABLE", "unavailable");

describe("the token cache", () => {
  it("signs in when the first caller needs a token, not before", async () => {
    const { endpoint, cache } = setUp();
    assert.deepEqual(endpoint.requests, []);
    assert.equal(await cache.get(), "1");
  });

  it("signs in once for 1,000 concurrent callers", async () => {
    const { endpoint, cache } = setUp();
    const tokens = await Promise.all(Array.from({ length: 1_000 }, () => cache.get()));
    assert.deepEqual(new Set(tokens), new Set(["1"]));
    assert.deepEqual(endpoint.requests, ["password"]);
  });

  it("keeps the token until 30 s before it expires", async () => {
    const { clock, endpoint, cache } = setUp();
    await cache.get();
    clock.pass(869_999);
    assert.equal(await cache.get(), "1");
    await endOfRenewal();
    assert.deepEqual(endpoint.requests, ["password"]);
  });

  it("renews the token in the background from 30 s before it expires, and no caller waits", async () => {
    const { clock, endpoint, cache } = setUp();
    await cache.get();
    clock.pass(870_000);
    assert.equal(await cache.get(), "1");
    await endOfRenewal();
    assert.equal(await cache.get(), "2");
    assert.deepEqual(endpoint.requests, ["password", "refresh-1"]);
    assert.equal(endpoint.isInBackground, true);
  });

  it("keeps the process alive while a caller waits for a renewal that started in the background", async () => {
    const { clock, endpoint, cache } = setUp();
    await cache.get();
    const { refresh } = endpoint;
    let respond = (): void => {};
    endpoint.refresh = async (...args) => {
      await new Promise<void>((resolve) => (respond = resolve));
      return refresh(...args);
    };
    clock.pass(870_000);
    assert.equal(await cache.get(), "1");
    clock.pass(29_000);
    const timers = () =>
      process.getActiveResourcesInfo().filter((type) => type === "Timeout").length;
    const before = timers();
    const waiting = cache.get();
    assert.equal(timers(), before + 1);
    respond();
    assert.equal(await waiting, "2");
    assert.equal(timers(), before);
    assert.deepEqual(endpoint.requests, ["password", "refresh-1"]);
  });

  it("makes callers wait for the renewal from 2 s before the token expires", async () => {
    const { clock, endpoint, cache } = setUp();
    endpoint.refreshLifetimeMs = undefined;
    await cache.get();
    clock.pass(898_000);
    assert.equal(await cache.get(), "2");
    assert.deepEqual(endpoint.requests, ["password", "refresh-1"]);
  });

  it("renews a short-lived token in the last 20 % of its lifetime, and makes callers wait in the last 10 %", async () => {
    const { clock, endpoint, cache } = setUp();
    endpoint.lifetimeMs = 2_000;
    await cache.get();
    clock.pass(1_599);
    await cache.get();
    await endOfRenewal();
    assert.deepEqual(endpoint.requests, ["password"]);
    clock.pass(1);
    assert.equal(await cache.get(), "1");
    await endOfRenewal();
    assert.deepEqual(endpoint.requests, ["password", "refresh-1"]);
    clock.pass(1_800);
    assert.equal(await cache.get(), "3");
  });

  it("counts the age of a token from the start of its request", async () => {
    const { clock, endpoint, cache } = setUp();
    const slowSignIn = endpoint.signIn;
    endpoint.signIn = () => {
      clock.pass(899_000);
      return slowSignIn();
    };
    await cache.get();
    await cache.get();
    assert.deepEqual(endpoint.requests, ["password", "refresh-1"]);
  });

  it("does not use a token longer when the wall clock is set back", async () => {
    const { clock, cache } = setUp();
    await cache.get();
    clock.jumpWall(-3_600_000);
    clock.pass(899_000);
    assert.equal(await cache.get(), "2");
  });

  it("treats a jump of the wall clock ahead as sleep, and renews once", async () => {
    const { clock, endpoint, cache } = setUp();
    await cache.get();
    clock.jumpWall(3_600_000);
    assert.equal(await cache.get(), "2");
    assert.equal(await cache.get(), "2");
    assert.deepEqual(endpoint.requests, ["password", "password"]);
  });

  it("signs in again after the refresh token has expired", async () => {
    const { clock, endpoint, cache } = setUp();
    await cache.get();
    clock.pass(900_000);
    await cache.get();
    assert.deepEqual(endpoint.requests, ["password", "password"]);
  });

  it("signs in again after a rejected or lost refresh, and never uses that refresh token again", async () => {
    for (const failure of [rejected, unavailable]) {
      const { clock, endpoint, cache } = setUp();
      await cache.get();
      endpoint.refreshError = failure;
      endpoint.signInError = unavailable;
      clock.pass(899_000);
      await failureOf(cache.get(), "LOGIN_UNAVAILABLE");
      endpoint.signInError = undefined;
      assert.equal(await cache.get(), "2");
      assert.deepEqual(endpoint.requests, ["password", "refresh-1", "password", "password"]);
    }
  });

  it("keeps the token after a renewal failed in the background, and tries one such renewal for each token", async () => {
    const { clock, endpoint, cache } = setUp();
    await cache.get();
    endpoint.refreshError = endpoint.signInError = unavailable;
    clock.pass(870_000);
    for (let call = 0; call < 3; call++) {
      assert.equal(await cache.get(), "1");
      await endOfRenewal();
    }
    // The cache sends a password only while a caller waits.
    assert.deepEqual(endpoint.requests, ["password", "refresh-1"]);
    clock.pass(29_000);
    await failureOf(cache.get(), "LOGIN_UNAVAILABLE");
  });

  it("renews once for all callers whose token was rejected", async () => {
    const { endpoint, cache } = setUp();
    const token = await cache.get();
    const tokens = await Promise.all(
      Array.from({ length: 100 }, () => cache.replaceRejected(token)),
    );
    assert.deepEqual(new Set(tokens), new Set(["2"]));
    assert.equal(await cache.replaceRejected(token), "2");
    assert.deepEqual(endpoint.requests, ["password", "refresh-1"]);
  });

  it("never returns a rejected token again, even if there is no new one", async () => {
    const { endpoint, cache } = setUp();
    const token = await cache.get();
    endpoint.refreshError = endpoint.signInError = new SignInRejectedError(rejected);
    await failureOf(cache.replaceRejected(token), "LOGIN_REJECTED");
    await failureOf(cache.get(), "LOGIN_REJECTED");
    assert.deepEqual(endpoint.requests, ["password", "refresh-1", "password"]);
  });

  it("gives all concurrent callers the error of a failed sign-in, and signs in again for the next caller", async () => {
    const { endpoint, cache } = setUp();
    endpoint.signInError = unavailable;
    const calls = Array.from({ length: 3 }, () => failureOf(cache.get(), "LOGIN_UNAVAILABLE"));
    await Promise.all(calls);
    endpoint.signInError = undefined;
    assert.equal(await cache.get(), "1");
    assert.deepEqual(endpoint.requests, ["password", "password"]);
  });

  it("rejects with the same error for 60 s after a rejected password, without a request", async () => {
    const { clock, endpoint, cache } = setUp();
    endpoint.signInError = new SignInRejectedError(rejected);
    await failureOf(cache.get(), "LOGIN_REJECTED");
    clock.pass(59_999);
    assert.equal(await failureOf(cache.get(), "LOGIN_REJECTED"), rejected);
    assert.deepEqual(endpoint.requests, ["password"]);
    clock.pass(1);
    endpoint.signInError = undefined;
    assert.equal(await cache.get(), "1");
  });

  it("also rejects for these 60 s after the wall clock jumped ahead", async () => {
    const { clock, endpoint, cache } = setUp();
    endpoint.signInError = new SignInRejectedError(rejected);
    await failureOf(cache.get(), "LOGIN_REJECTED");
    clock.jumpWall(3_600_000);
    await failureOf(cache.get(), "LOGIN_REJECTED");
    assert.deepEqual(endpoint.requests, ["password"]);
  });

  it("replaces at most ten rejected tokens a minute with the password, and renews without limit", async () => {
    const { clock, endpoint, cache } = setUp();
    endpoint.refreshError = rejected;
    for (let n = 1; n <= 10; n++) {
      assert.equal(await cache.replaceRejected(await cache.get()), String(n + 1));
    }
    assert.equal(await cache.replaceRejected("11"), undefined);
    assert.equal(await cache.get(), "11");
    clock.pass(60_000);
    assert.equal(await cache.get(), "12");
    clock.pass(900_000);
    assert.equal(await cache.get(), "13");
  });

  it("counts these 60 s from the rejection, not from the start of a long sign-in", async () => {
    const { clock, endpoint, cache } = setUp();
    endpoint.signIn = () => {
      endpoint.requests.push("password");
      clock.pass(55_000);
      return Promise.reject(new SignInRejectedError(rejected));
    };
    await failureOf(cache.get(), "LOGIN_REJECTED");
    clock.pass(59_999);
    await failureOf(cache.get(), "LOGIN_REJECTED");
    assert.deepEqual(endpoint.requests, ["password"]);
  });
});

describe("a token cache", () => {
  it("may be forgotten unless it renews a token or remembers a rejection", async () => {
    const [clock, endpoint] = [new InstantClock(), new FakeTokenEndpoint()];
    const cache = new TokenCache(clock);
    assert.equal(cache.isForgettable, true);
    const token = cache.accessToken(endpoint);
    assert.equal(cache.isForgettable, false);
    await token;
    assert.equal(cache.isForgettable, true);
    clock.pass(1_000_000);
    endpoint.signInError = new SignInRejectedError(rejected);
    await failureOf(cache.accessToken(endpoint), "LOGIN_REJECTED");
    clock.pass(59_999);
    assert.equal(cache.isForgettable, false);
    clock.pass(1);
    assert.equal(cache.isForgettable, true);
  });
});
