import assert from "node:assert/strict";
import { execFile, fork } from "node:child_process";
import { pbkdf2 } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { ReceivedBytes } from "../../provider/receivedBytes.js";
import { createTransport, type OutgoingRequest } from "../../provider/transport.js";
import { TimeoutFault, TransportFault } from "../../provider/transportFaults.js";
import { closedPort, type ScriptedServer, startScriptedServer } from "../support/scriptedServer.js";
import { limitOf } from "../support/timeLimits.js";

describe("the transport", () => {
  let server: ScriptedServer;
  before(async () => {
    server = await startScriptedServer();
  });

  function transport() {
    return createTransport({
      maxConnections: 4,
      caCertificates: [],
      headers: { "user-agent": "test/1" },
    });
  }

  function get(url: string, limitMs = 30_000): OutgoingRequest {
    return { method: "GET", url, headers: {}, maxBytes: 1_000, limit: limitOf(limitMs) };
  }

  async function faultOf(sent: Promise<unknown>): Promise<TransportFault> {
    return sent.then(
      () => assert.fail("expected a fault"),
      (error: unknown) => {
        assert.ok(error instanceof TransportFault, String(error));
        return error;
      },
    );
  }

  it("gives status, headers and body of any answer, redirects included", async () => {
    server.answer = (_request, response) =>
      response.writeHead(302, { location: "/x" }).end("there");
    const before = server.requests.length;
    const answer = await transport().send(get(server.url));
    assert.equal(answer.status, 302);
    assert.equal(answer.body.toString(), "there");
    assert.equal(server.requests.length, before + 1);
    assert.equal(server.requests.at(-1)?.headers["user-agent"], "test/1");
  });

  it("sends the host, the request's own headers over the usual ones, and a body's length", async () => {
    server.answer = (_request, response) => response.end("{}");
    const { send } = transport();
    const own = { "user-agent": "own/1", "accept-encoding": "br" };
    await send({ ...get(server.url), method: "POST", headers: own, body: "a=ä" });
    // The same object again, of which the transport knows what to send.
    await send({ ...get(server.url), headers: own });
    for (const [{ headers, body }, length] of [
      [server.requests.at(-2)!, "4"],
      [server.requests.at(-1)!, undefined],
    ] as const) {
      assert.deepEqual(
        [headers.host, headers["user-agent"], headers["accept-encoding"]],
        [new URL(server.url).host, "own/1", "gzip"],
      );
      assert.equal(headers["content-length"], length);
      assert.equal(headers["transfer-encoding"], undefined);
      assert.equal(body, length === undefined ? "" : "a=ä");
    }
  });

  it("opens no more connections than allowed and keeps them", async () => {
    server.answer = (_request, response) => response.end("{}");
    const before = server.connections;
    const { send } = transport();
    for (let round = 0; round < 2; round++) {
      await Promise.all(Array.from({ length: 20 }, () => send(get(server.url))));
    }
    assert.equal(server.connections - before, 4);
  });

  it("unpacks gzip", async () => {
    server.answer = (_request, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("packed"));
    assert.equal((await transport().send(get(server.url))).body.toString(), "packed");
  });

  it("has a deadline that a dripping body does not move", async () => {
    server.answer = (_request, response) => {
      const drip = setInterval(() => response.write("."), 20);
      response.on("close", () => clearInterval(drip));
    };
    await assert.rejects(transport().send(get(server.url, 200)), TimeoutFault);
  });

  it("has a deadline for a server that accepts and never answers", async () => {
    server.answer = () => {};
    await assert.rejects(transport().send(get(server.url, 100)), TimeoutFault);
  });

  it("reads what has arrived before it looks at the deadline, in a program that was busy", async () => {
    const other = fork(join(__dirname, "../support/echoServer.js"));
    const [port] = (await once(other, "message")) as [number];
    try {
      const sent = transport().send(get(`http://127.0.0.1:${port}`, 1_000));
      await sleep(20);
      const endMs = performance.now() + 2_500;
      while (performance.now() < endMs); // as long as the program is busy, nothing is read
      assert.equal((await sent).body.toString(), "late");
    } finally {
      other.kill();
    }
  });

  it("unpacks at once, also while the thread pool is busy", async () => {
    server.answer = (_request, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("packed"));
    const busy = Array.from({ length: 8 }, () =>
      promisify(pbkdf2)("p", "s", 300_000, 64, "sha512"),
    );
    let isBusy = true;
    void Promise.all(busy).then(() => (isBusy = false));
    await transport().send(get(server.url));
    assert.ok(isBusy);
    await Promise.all(busy);
  });

  it("holds a response in little more than its size, however it is cut", () => {
    const received = new ReceivedBytes();
    for (let index = 0; index < 100_000; index++) received.add(Buffer.from([index % 251]));
    const bytes = received.bytes();
    assert.equal(bytes.length, 100_000);
    assert.ok(bytes.every((byte, index) => byte === index % 251));
    assert.ok(bytes.buffer.byteLength <= 2 * bytes.length + 8192);
  });

  it("takes an empty content-encoding for none", async () => {
    server.answer = (_request, response) =>
      response.writeHead(200, { "content-encoding": "" }).end("plain");
    assert.equal((await transport().send(get(server.url))).body.toString(), "plain");
  });

  it("keeps a process alive until the response has come, except in the background", async () => {
    server.answer = () => {};
    const end = async (isInBackground: boolean) => {
      const request = { ...get(server.url), isInBackground, limit: undefined };
      const program = `
        const { createTransport } = require(${JSON.stringify(join(__dirname, "../../provider/transport.js"))});
        const { send } = createTransport({ maxConnections: 1, caCertificates: [], headers: {} });
        const limit = { of: "attempt", durationMs: 0, endMs: performance.now() + ${isInBackground ? 60_000 : 500} };
        send({ ...${JSON.stringify(request)}, limit }).catch(() => console.log("settled"));`;
      return (await promisify(execFile)(process.execPath, ["-e", program])).stdout;
    };
    assert.equal(await end(true), "");
    assert.equal(await end(false), "settled\n");
  }).timeout(30_000);

  it("opens a new connection where an idle one will not do", async () => {
    server.answer = (_request, response) => response.end("{}");
    const { send } = transport();
    const before = server.connections;
    for (let call = 0; call < 3; call++) await send(get(server.url));
    assert.equal(server.connections - before, 1);
    for (let call = 0; call < 3; call++)
      await send({ ...get(server.url), isOnNewConnection: true });
    assert.equal(server.connections - before, 4);
  });

  it("stops reading an answer that is too large", async () => {
    server.answer = (_request, response) => response.end("x".repeat(1_001));
    assert.equal((await faultOf(transport().send(get(server.url)))).kind, "tooLarge");
  });

  it("stops unpacking an answer that is too large", async () => {
    server.answer = (_request, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("x".repeat(100_000)));
    assert.equal((await faultOf(transport().send(get(server.url)))).kind, "tooLarge");
  });

  it("calls an encoding that it did not ask for malformed, and broken gzip too", async () => {
    for (const encoding of ["br", "gzip"]) {
      server.answer = (_request, response) =>
        response.writeHead(200, { "content-encoding": encoding }).end("????");
      assert.equal((await faultOf(transport().send(get(server.url)))).kind, "malformed", encoding);
    }
  });

  it("says when nothing listens", async () => {
    const fault = await faultOf(transport().send(get(await closedPort())));
    assert.deepEqual([fault.kind, fault.code], ["network", "ECONNREFUSED"]);
  });

  it("does not take half an answer for a whole one", async () => {
    server.answer = (_request, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("half", () => response.destroy());
    };
    assert.equal((await faultOf(transport().send(get(server.url)))).kind, "network");
  });

  it("settles after an upgrade that nobody asked for, and does not take it for an answer", async () => {
    server.answer = ({ socket }) =>
      socket.end(
        "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
      );
    const fault = await faultOf(transport().send(get(server.url)));
    assert.deepEqual([fault.kind, fault.code], ["malformed", "UNEXPECTED_UPGRADE"]);
  });

  describe("with a server that speaks something else", () => {
    let other: Server;
    let port: number;
    before(async () => {
      other = createServer((socket) => {
        socket.on("error", () => {});
        socket.end("220 mail.example.com ESMTP\r\n");
      });
      await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
      port = (other.address() as AddressInfo).port;
    });
    after(() => other.close());

    it("calls the answer malformed", async () => {
      const fault = await faultOf(transport().send(get(`http://127.0.0.1:${port}`)));
      assert.equal(fault.kind, "malformed");
    });

    it("calls a failed handshake a TLS fault", async () => {
      const fault = await faultOf(transport().send(get(`https://127.0.0.1:${port}`)));
      assert.equal(fault.kind, "tls");
    });
  });
});
