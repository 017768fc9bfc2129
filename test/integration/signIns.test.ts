import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import * as state from "@pulumi/pulumi/runtime/state.js";
import { getProject, ProjectServiceError } from "../../sdk/index.js";
import { useFastClock } from "../support/clock.js";
import { failureOf } from "../support/failure.js";
import {
  connectionTo,
  respondCorrectly,
  type ScriptedServer,
  sendJson,
  startScriptedServer,
} from "../support/scriptedServer.js";

/** Pulumi's SDK calls an inline program with it: with a store of its own. The types of the SDK do not contain it. */
const { withLocalStorage: inInlineProgram } = state as unknown as {
  withLocalStorage: <T>(program: () => T) => T;
};

type Respond = (response: ServerResponse) => void;

const send =
  (status: number, body: unknown): Respond =>
  (response) =>
    sendJson(response, status, body);

const cutOff: Respond = (response) => {
  response.writeHead(401, { "content-length": "100" });
  response.write("<p>no", () => response.socket?.destroy());
};

const close: Respond = (response) => void response.socket?.destroy();
const silent: Respond = () => {};
const invalidGrant = send(400, { error: "invalid_grant" });
const shortToken = send(200, { access_token: "t" }); // no lifetime: used for 60 s

/** Responds with the refresh tokens `refresh-1`, `refresh-2` and so on. */
function refreshableTokens(): Respond {
  let issued = 0;
  return (response) => {
    const number = ++issued;
    sendJson(response, 200, {
      access_token: `access-${number}`,
      expires_in: 900,
      refresh_token: `refresh-${number}`,
      refresh_expires_in: 36_000,
    });
  };
}

/** A Project Service of one test, with its identity provider. */
class Service {
  /** Responds to a sign-in with the refresh token. By default as to one with the password. */
  respondToRefresh: Respond = (response) => this.respondToPassword(response);
  /** Happens before the response to a read. */
  beforeRead = () => {};
  /** Responds to reads. By default with the project. */
  failRead: Respond | undefined;

  private constructor(
    private readonly server: ScriptedServer,
    public respondToPassword: Respond,
  ) {
    server.respond = (request, response, body) => {
      if (request.url?.startsWith("/auth/") !== true) {
        this.beforeRead();
        if (this.failRead === undefined) respondCorrectly(request, response);
        else this.failRead(response);
      } else if (body.includes("grant_type=password")) this.respondToPassword(response);
      else this.respondToRefresh(response);
    };
  }

  static async start(respondToPassword: Respond): Promise<Service> {
    return new Service(await startScriptedServer(), respondToPassword);
  }

  /** Settings of the user `reader`, with the changes of a test. */
  connection(changes: object = {}) {
    // Long enough for a busy machine: the clock runs fast.
    return connectionTo(this.server.url, { username: "reader", timeoutSeconds: 300, ...changes });
  }

  /** Reads a project. Returns `success`, or the code of the error. */
  async read(changes: object = {}, projectId = "p-1"): Promise<string> {
    try {
      const project = await getProject({ projectId }, { connection: this.connection(changes) });
      assert.equal(project.projectId, projectId);
      return "success";
    } catch (error) {
      assert.ok(error instanceof ProjectServiceError, String(error));
      return error.code;
    }
  }

  /** Reads 20 projects at once, with each of the changes in turn. Returns what came of them, each outcome once. */
  async readAll(changes: readonly object[] = [{}]): Promise<string> {
    const reads = Array.from({ length: 20 }, (_, index) =>
      this.read(changes[index % changes.length], `p-${index}`),
    );
    return [...new Set(await Promise.all(reads))].join();
  }

  /** Returns what was sent to the token endpoint, in order: the user of a password, or a refresh token. */
  grants(): string[] {
    return this.server.requests
      .filter(({ path }) => path.startsWith("/auth/"))
      .map(({ body }) => new URLSearchParams(body))
      .map((form) => form.get("refresh_token") ?? form.get("username") ?? "");
  }

  /** Waits for a renewal beside the reads. */
  async sent(grants: number): Promise<void> {
    while (this.grants().length < grants) await sleep(5);
  }

  forgetGrants(): void {
    this.server.requests.length = 0;
  }
}

describe("signing in", () => {
  const clock = useFastClock();

  // 400 and 401 are rejections, and so are 200 and 403 with an error. 404, 408, 429 and 5xx never are.
  describe("a rejected sign-in", () => {
    for (const [what, respond, code] of [
      ["400 with an OAuth error", invalidGrant, "LOGIN_REJECTED"],
      ["400 with an OAuth error of its own", send(400, { error: "weekend" }), "LOGIN_REJECTED"],
      ["403 with an error", send(403, { error: "There are too many sessions" }), "LOGIN_REJECTED"],
      ["401 with a page", send(401, "<p>no</p>"), "LOGIN_RESPONSE_INVALID"],
      ["401 with a body that is cut off", cutOff, "UNREACHABLE"],
      ["200 with an OAuth error", send(200, { error: "locked" }), "LOGIN_REJECTED"],
      ["200 with an error object", send(200, { error: { id: 7 } }), "LOGIN_REJECTED"],
    ] as const) {
      it(`is not repeated by later reads: ${what}`, async () => {
        const service = await Service.start(respond);
        for (let n = 0; n < 3; n++) assert.equal(await service.read(), code);
        assert.deepEqual(service.grants(), Array(respond === invalidGrant ? 2 : 1).fill("reader"));
      });
    }

    it("is repeated once, 2 to 5 s after the first invalid_grant, for all reads", async () => {
      const times: number[] = [];
      const service = await Service.start((response) => {
        times.push(performance.now() * 20);
        (times.length === 1 ? invalidGrant : shortToken)(response);
      });
      assert.equal(await service.readAll(), "success");
      assert.equal(times.length, 2);
      assert.ok((times[1] as number) - (times[0] as number) >= 2_000, String(times));
    });

    it("says that nothing was sent, and until when", async () => {
      const service = await Service.start(invalidGrant);
      const startMs = Date.now();
      await service.read();
      const second = getProject({ projectId: "p-1" }, { connection: service.connection() });
      const { message } = await failureOf(second, "LOGIN_REJECTED");
      const [, end = ""] = / possible at (\S+)\. /.exec(message) ?? assert.fail(message);
      const lastsMs = Date.parse(end) - startMs;
      assert.ok(lastsMs >= 590_000 && lastsMs < 630_000, message);
      assert.deepEqual(service.grants(), ["reader", "reader"]);
    });

    it("is remembered for 10 minutes, and sent twice again only after a success", async () => {
      const service = await Service.start(invalidGrant);
      const signInsAfterRead = async () => {
        await service.read();
        return service.grants().length;
      };
      assert.equal(await signInsAfterRead(), 2);
      for (let minutes = 10; minutes <= 60; minutes += 10) {
        clock.pass(540_000);
        const signIns = service.grants().length;
        assert.equal(await signInsAfterRead(), signIns, `before ${minutes} minutes`);
        clock.pass(70_000);
        assert.equal(await signInsAfterRead(), signIns + 1, `after ${minutes} minutes`);
      }
      assert.equal(service.grants().length, 8);

      service.respondToPassword = send(200, { access_token: "t", expires_in: 1 });
      clock.pass(600_000);
      assert.equal(await service.read(), "success");
      service.respondToPassword = invalidGrant;
      service.forgetGrants();
      clock.pass(2_000);
      assert.equal(await signInsAfterRead(), 2);
    });

    it("does not stop another identity: a password that was corrected", async () => {
      const service = await Service.start(invalidGrant);
      assert.equal(await service.read(), "LOGIN_REJECTED");
      service.respondToPassword = shortToken;
      assert.equal(await service.read({ password: "right" }), "success");
    });
  });

  describe("a sign-in", () => {
    for (const [what, respond] of [
      ["429", send(429, "")],
      ["503", send(503, "")],
      ["a page with status 200", send(200, "<p>maintenance</p>")],
      ["a realm that does not exist yet", send(404, { error: "Realm does not exist" })],
      ["408", send(408, { error: "invalid_grant" })],
      ["a closed connection", close],
    ] as const) {
      it(`is not remembered if it says nothing about the password: ${what}`, async () => {
        const service = await Service.start(respond);
        assert.match(await service.read(), /LOGIN_|UNREACHABLE/);
        service.respondToPassword = shortToken;
        assert.equal(await service.read(), "success");
      });
    }

    it("is not repeated within a second after a 429 without Retry-After", async () => {
      const times: number[] = [];
      const service = await Service.start((response) => {
        times.push(performance.now() * 20);
        (times.length === 1 ? send(429, "") : shortToken)(response);
      });
      assert.equal(await service.read(), "success");
      assert.equal(times.length, 2);
      assert.ok((times[1] as number) - (times[0] as number) >= 1_000, String(times));
    });

    it("ends at its limit if other reads join it, and the next read signs in again", async () => {
      // The first sign-in gets no response. Reads that keep joining it must not prolong it.
      let requests = 0;
      const service = await Service.start((response) => {
        if (++requests > 1) shortToken(response);
      });
      const outcomes: string[] = [];
      const startMs = performance.now();
      for (let number = 0; !outcomes.includes("success"); number++) {
        assert.ok(performance.now() - startMs < 60_000, `no read succeeded: ${outcomes.join(" ")}`);
        const settings = { timeoutSeconds: 10, maxConcurrency: 256 };
        void service.read(settings, `p-${number}`).then((outcome) => outcomes.push(outcome));
        await sleep(50);
      }
      assert.equal(outcomes[0], "TIMEOUT");
    });
  });

  describe("the tokens of an identity", () => {
    it("come from one sign-in, also for several connections and inline programs", async () => {
      const service = await Service.start(refreshableTokens());
      const { baseUrl } = service.connection();
      const connections = [{ timeoutSeconds: 20 }, { baseUrl: `${baseUrl}/b` }];
      const outcomes = await Promise.all([
        service.readAll([{}, ...connections]),
        inInlineProgram(() => service.readAll()),
        inInlineProgram(() => service.readAll(connections)),
      ]);
      assert.deepEqual(outcomes, ["success", "success", "success"]);
      assert.deepEqual(service.grants(), ["reader"]);
    });

    it("are renewed with the refresh token near their end, once for all reads", async () => {
      const service = await Service.start(refreshableTokens());
      assert.equal(await service.readAll(), "success");
      for (let round = 1; round <= 3; round++) {
        clock.pass(899_000);
        assert.equal(await service.readAll([{}, { timeoutSeconds: 200 }]), "success");
        await service.sent(1 + round);
      }
      assert.deepEqual(service.grants(), ["reader", "refresh-1", "refresh-2", "refresh-3"]);
    });

    for (const [what, respond, code] of [
      ["fails", send(500, ""), "LOGIN_UNAVAILABLE"],
      ["is forbidden by a gateway", send(403, "<p>blocked</p>"), "LOGIN_RESPONSE_INVALID"],
      ["is rejected", send(400, { error: "locked" }), "LOGIN_REJECTED"],
    ] as const) {
      it(`are used until they expire if the renewal ${what}, with one renewal for each token`, async () => {
        const service = await Service.start(refreshableTokens());
        assert.equal(await service.read(), "success");
        service.respondToPassword = service.respondToRefresh = respond;
        clock.pass(875_000);
        clock.stop(); // there are 25 s left
        for (let n = 0; n < 3; n++) assert.equal(await service.readAll(), "success");
        await service.sent(3);
        assert.deepEqual(service.grants(), ["reader", "refresh-1", "reader"]);
        clock.pass(30_000);
        assert.equal(await service.read(), code);
      });
    }

    it("are used until they expire while the renewal hangs, and reads wait only then", async () => {
      const service = await Service.start(refreshableTokens());
      const settings = { timeoutSeconds: 60 };
      assert.equal(await service.read(settings), "success");
      const working = refreshableTokens();
      service.respondToRefresh = silent;
      service.respondToPassword = working;
      clock.pass(875_000);
      assert.equal(await service.readAll([settings]), "success");
      await service.sent(2);
      clock.pass(30_000);
      assert.equal(await service.readAll([settings]), "success");
      assert.deepEqual(service.grants(), ["reader", "refresh-1", "reader"]);
    });

    it("are not used after the service has refused them, even if the renewal fails", async () => {
      const service = await Service.start(refreshableTokens());
      service.beforeRead = () => {
        service.beforeRead = () => {};
        service.respondToPassword = service.respondToRefresh = send(502, "");
      };
      service.failRead = send(401, "");
      assert.equal(await service.read(), "LOGIN_UNAVAILABLE");
    });

    it("are got with the password in full time, after a renewal that took all of its own", async () => {
      const working = refreshableTokens();
      const service = await Service.start(working);
      assert.equal(await service.read({ timeoutSeconds: 300 }), "success");
      service.respondToRefresh = (response) => {
        clock.pass(301_000);
        send(502, "")(response);
      };
      service.respondToPassword = (response) => void setTimeout(() => working(response), 200);
      clock.pass(901_000);
      assert.equal(await service.read({ timeoutSeconds: 300 }), "success");
    });

    it("are renewed when it is a read's turn, not earlier", async () => {
      const service = await Service.start(refreshableTokens());
      service.beforeRead = () => clock.pass(899_000);
      await Promise.all(["p-1", "p-2"].map((id) => service.read({ maxConcurrency: 1 }, id)));
      await service.sent(2);
      assert.deepEqual(service.grants(), ["reader", "refresh-1"]);
    });

    it("are renewed with the password if the refresh token has expired", async () => {
      const service = await Service.start(refreshableTokens());
      assert.equal(await service.readAll(), "success");
      clock.pass(36_000_000);
      assert.equal(await service.readAll(), "success");
      assert.deepEqual(service.grants(), ["reader", "reader"]);
    });

    for (const [what, respond] of [
      ["got no response", silent],
      ["got 503", send(503, "")],
      ["got an invalid token", send(200, { access_token: 7 })],
      ["was rejected", invalidGrant],
    ] as const) {
      it(`never come from a refresh token whose request ${what}, even if the password fails`, async () => {
        const limits = [{ timeoutSeconds: respond === silent ? 40 : 300 }];
        const working = refreshableTokens();
        const service = await Service.start(working);
        assert.equal(await service.readAll(limits), "success");
        service.respondToRefresh = respond;
        service.respondToPassword = send(500, "");
        clock.pass(901_000);
        assert.equal(await service.readAll(limits), "LOGIN_UNAVAILABLE");
        assert.deepEqual(service.grants().slice(0, 3), ["reader", "refresh-1", "reader"]);
        assert.equal(service.grants().filter((grant) => grant === "refresh-1").length, 1);

        service.respondToPassword = working;
        service.forgetGrants();
        assert.equal(await service.readAll(limits), "success");
        clock.pass(901_000);
        assert.equal(await service.readAll(limits), "success");
        assert.deepEqual(service.grants(), ["reader", "refresh-2", "reader"]);
      });
    }
  });
});
