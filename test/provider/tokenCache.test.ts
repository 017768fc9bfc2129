import assert from "node:assert/strict";
import { ProjectServiceError } from "../../provider/errors.js";
import { type Grant, TokenCache } from "../../provider/tokenCache.js";
import { failureOf } from "../support/failure.js";
import { InstantClock } from "../support/timeLimits.js";

/** Grants tokens "1", "2", ... and writes down what was asked. */
class FakeGrants {
  readonly asked: string[] = [];
  lifetimeMs = 900_000;
  refreshLifetimeMs: number | undefined = 900_000;
  failSignIn: Error | undefined;
  failRenew: Error | undefined;
  private issued = 0;

  signIn = async (): Promise<Grant> => {
    this.asked.push("password");
    await Promise.resolve();
    if (this.failSignIn !== undefined) throw this.failSignIn;
    return this.grant();
  };

  /** Of the last refresh. */
  isInBackground: boolean | undefined;

  renew = async (refreshToken: string, isInBackground: boolean): Promise<Grant> => {
    this.asked.push(refreshToken);
    this.isInBackground = isInBackground;
    await Promise.resolve();
    if (this.failRenew !== undefined) throw this.failRenew;
    return this.grant();
  };

  private grant(): Grant {
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
  const grants = new FakeGrants();
  return { clock, grants, cache: new TokenCache(grants, clock) };
}

/** Lets a renewal in the background come to its end. */
async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

const rejected = new ProjectServiceError("LOGIN_REJECTED", "rejected");
const unavailable = new ProjectServiceError("LOGIN_UNAVAILABLE", "unavailable");

describe("the token cache", () => {
  it("signs in at the first request, not before", async () => {
    const { grants, cache } = setUp();
    assert.deepEqual(grants.asked, []);
    assert.equal(await cache.accessToken(), "1");
  });

  it("signs in once for 1,000 concurrent callers", async () => {
    const { grants, cache } = setUp();
    const tokens = await Promise.all(Array.from({ length: 1_000 }, () => cache.accessToken()));
    assert.deepEqual(new Set(tokens), new Set(["1"]));
    assert.deepEqual(grants.asked, ["password"]);
  });

  it("keeps the token until 30 s before its end", async () => {
    const { clock, grants, cache } = setUp();
    await cache.accessToken();
    clock.pass(869_999);
    assert.equal(await cache.accessToken(), "1");
    await settle();
    assert.deepEqual(grants.asked, ["password"]);
  });

  it("renews in the background from 30 s before its end, without making a caller wait", async () => {
    const { clock, grants, cache } = setUp();
    await cache.accessToken();
    clock.pass(870_000);
    assert.equal(await cache.accessToken(), "1");
    await settle();
    assert.equal(await cache.accessToken(), "2");
    assert.deepEqual(grants.asked, ["password", "refresh-1"]);
    assert.equal(grants.isInBackground, true);
  });

  it("lets a caller wait for a renewal that began in the background, and keeps the process alive", async () => {
    const { clock, grants, cache } = setUp();
    await cache.accessToken();
    const { renew } = grants;
    let answer = (): void => {};
    grants.renew = async (...args) => {
      await new Promise<void>((resolve) => (answer = resolve));
      return renew(...args);
    };
    clock.pass(870_000);
    assert.equal(await cache.accessToken(), "1");
    clock.pass(29_000);
    const timers = () =>
      process.getActiveResourcesInfo().filter((type) => type === "Timeout").length;
    const before = timers();
    const waiting = cache.accessToken();
    assert.equal(timers(), before + 1);
    answer();
    assert.equal(await waiting, "2");
    assert.equal(timers(), before);
    assert.deepEqual(grants.asked, ["password", "refresh-1"]);
  });

  it("makes callers wait for the renewal from 2 s before its end", async () => {
    const { clock, grants, cache } = setUp();
    grants.refreshLifetimeMs = undefined;
    await cache.accessToken();
    clock.pass(898_000);
    assert.equal(await cache.accessToken(), "2");
    assert.deepEqual(grants.asked, ["password", "refresh-1"]);
  });

  it("scales both windows down with short lifetimes", async () => {
    const { clock, grants, cache } = setUp();
    grants.lifetimeMs = 2_000;
    await cache.accessToken();
    clock.pass(1_599);
    await cache.accessToken();
    await settle();
    assert.deepEqual(grants.asked, ["password"]);
    clock.pass(1);
    assert.equal(await cache.accessToken(), "1");
    await settle();
    assert.deepEqual(grants.asked, ["password", "refresh-1"]);
    clock.pass(1_800);
    assert.equal(await cache.accessToken(), "3");
  });

  it("counts the age from the start of the request", async () => {
    const { clock, grants, cache } = setUp();
    const slowSignIn = grants.signIn;
    grants.signIn = () => {
      clock.pass(899_000);
      return slowSignIn();
    };
    await cache.accessToken();
    await cache.accessToken();
    assert.deepEqual(grants.asked, ["password", "refresh-1"]);
  });

  it("does not use a token longer when the wall clock is set back", async () => {
    const { clock, cache } = setUp();
    await cache.accessToken();
    clock.jumpWall(-3_600_000);
    clock.pass(899_000);
    assert.equal(await cache.accessToken(), "2");
  });

  it("takes a jump of the wall clock ahead for sleep, and renews once", async () => {
    const { clock, grants, cache } = setUp();
    await cache.accessToken();
    clock.jumpWall(3_600_000);
    assert.equal(await cache.accessToken(), "2");
    assert.equal(await cache.accessToken(), "2");
    assert.deepEqual(grants.asked, ["password", "password"]);
  });

  it("signs in anew when the refresh token has expired", async () => {
    const { clock, grants, cache } = setUp();
    await cache.accessToken();
    clock.pass(900_000);
    await cache.accessToken();
    assert.deepEqual(grants.asked, ["password", "password"]);
  });

  it("signs in anew when the refresh is rejected or lost, and never uses that refresh token again", async () => {
    for (const failure of [rejected, unavailable]) {
      const { clock, grants, cache } = setUp();
      await cache.accessToken();
      grants.failRenew = failure;
      grants.failSignIn = unavailable;
      clock.pass(899_000);
      await failureOf(cache.accessToken(), "LOGIN_UNAVAILABLE");
      grants.failSignIn = undefined;
      assert.equal(await cache.accessToken(), "2");
      assert.deepEqual(grants.asked, ["password", "refresh-1", "password", "password"]);
    }
  });

  it("is not harmed by a renewal that fails in the background, and tries one a token", async () => {
    const { clock, grants, cache } = setUp();
    await cache.accessToken();
    grants.failRenew = grants.failSignIn = unavailable;
    clock.pass(870_000);
    for (let call = 0; call < 3; call++) {
      assert.equal(await cache.accessToken(), "1");
      await settle();
    }
    // A password is sent only when a caller waits for it.
    assert.deepEqual(grants.asked, ["password", "refresh-1"]);
    clock.pass(29_000);
    await failureOf(cache.accessToken(), "LOGIN_UNAVAILABLE");
  });

  it("renews once for all callers whose token was refused", async () => {
    const { grants, cache } = setUp();
    const token = await cache.accessToken();
    const tokens = await Promise.all(
      Array.from({ length: 100 }, () => cache.accessTokenAfter(token)),
    );
    assert.deepEqual(new Set(tokens), new Set(["2"]));
    assert.equal(await cache.accessTokenAfter(token), "2");
    assert.deepEqual(grants.asked, ["password", "refresh-1"]);
  });

  it("does not hand out a refused token again when it cannot be replaced", async () => {
    const { grants, cache } = setUp();
    const token = await cache.accessToken();
    grants.failRenew = grants.failSignIn = rejected;
    await failureOf(cache.accessTokenAfter(token), "LOGIN_REJECTED");
    await failureOf(cache.accessToken(), "LOGIN_REJECTED");
    assert.deepEqual(grants.asked, ["password", "refresh-1", "password"]);
  });

  it("lets all concurrent callers see a failed sign-in, and tries again for the next", async () => {
    const { grants, cache } = setUp();
    grants.failSignIn = unavailable;
    const calls = Array.from({ length: 3 }, () =>
      failureOf(cache.accessToken(), "LOGIN_UNAVAILABLE"),
    );
    await Promise.all(calls);
    grants.failSignIn = undefined;
    assert.equal(await cache.accessToken(), "1");
    assert.deepEqual(grants.asked, ["password", "password"]);
  });

  it("remembers a rejected password for 60 s, by the very same error", async () => {
    const { clock, grants, cache } = setUp();
    grants.failSignIn = rejected;
    await failureOf(cache.accessToken(), "LOGIN_REJECTED");
    clock.pass(59_999);
    assert.equal(await failureOf(cache.accessToken(), "LOGIN_REJECTED"), rejected);
    assert.deepEqual(grants.asked, ["password"]);
    clock.pass(1);
    grants.failSignIn = undefined;
    assert.equal(await cache.accessToken(), "1");
  });

  it("counts these 60 s from the rejection, however long the sign-in took", async () => {
    const { clock, grants, cache } = setUp();
    grants.signIn = () => {
      grants.asked.push("password");
      clock.pass(55_000);
      return Promise.reject(rejected);
    };
    await failureOf(cache.accessToken(), "LOGIN_REJECTED");
    clock.pass(59_999);
    await failureOf(cache.accessToken(), "LOGIN_REJECTED");
    assert.deepEqual(grants.asked, ["password"]);
  });
});
