import assert from "node:assert/strict";
import { RequestFailure } from "../../../provider/errors/requestFailure.js";
import { SharedSignIn, sharedSignIn } from "../../../provider/http/sharedSignIn.js";
import { useClock } from "../../support/clock.js";
import { connectionTo } from "../../support/scriptedServer.js";
import { settingsOf } from "../../support/settings.js";

const unreachable = new RequestFailure("UNREACHABLE", "", { wasSent: false, isRetryable: true });
const tokens = { accessToken: "access", lifetimeMs: 100_000, refreshLifetimeMs: 3_600_000 };

describe("the sign-in of an identity", () => {
  const clock = useClock();
  let isUp = true;
  const sent: (string | undefined)[] = [];
  const signIn = new SharedSignIn((_limitMs, refreshToken) => {
    sent.push(refreshToken);
    if (!isUp) return Promise.reject(unreachable);
    return Promise.resolve({ ...tokens, refreshToken: `refresh-${sent.length}` });
  });

  it("uses a refresh token again whose request had no connection", async () => {
    await signIn.token(1_000);
    isUp = false;
    clock.pass(90_000);
    for (let n = 0; n < 3; n++) assert.equal(await signIn.token(1_000), "access"); // until it expires
    isUp = true;
    clock.pass(15_000);
    await signIn.token(1_000);
    assert.deepEqual(sent, [undefined, "refresh-1", undefined, "refresh-1"]);
  });

  it("is not shared with one that trusts other certificates", () => {
    const settings = settingsOf(connectionTo("http://127.0.0.1:1"));
    const others = { ...settings, caCertificates: ["other"] };
    assert.equal(sharedSignIn(settings), sharedSignIn({ ...settings }));
    assert.notEqual(sharedSignIn(settings), sharedSignIn(others));
  });
});
