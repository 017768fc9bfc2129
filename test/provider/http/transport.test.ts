import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { pbkdf2 } from "node:crypto";
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer, type Server } from "node:net";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { gzipSync } from "node:zlib";
import { type HttpRequest, ReceivedBytes } from "../../../provider/http/httpRequest.js";
import { createTransport } from "../../../provider/http/transport.js";
import { TimeoutError, TransportError } from "../../../provider/errors/internalErrors.js";
import { closedPort } from "../../support/closedPort.js";
import { type ScriptedServer, startScriptedServer } from "../../support/scriptedServer.js";
import { flag, setFlag, waitForFlag } from "../../support/slowServer.js";
import { limitOf } from "../../support/timeLimits.js";
import { compiled } from "../../support/paths.js";

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

  function get(url: string, limitMs = 30_000): HttpRequest {
    return { method: "GET", url, headers: {}, maxBytes: 1_000, limit: limitOf(limitMs) };
  }

  async function transportErrorOf(sent: Promise<unknown>): Promise<TransportError> {
    return sent.then(
      () => assert.fail("expected a TransportError"),
      (error: unknown) => {
        assert.ok(error instanceof TransportError, String(error));
        return error;
      },
    );
  }

  it("returns status and body of every response, also of a redirect, which it does not follow", async () => {
    server.respond = (_request, response) =>
      response.writeHead(302, { location: "/x" }).end("there");
    const before = server.requests.length;
    const response = await transport().send(get(server.url));
    assert.equal(response.status, 302);
    assert.equal(response.body.toString(), "there");
    assert.equal(server.requests.length, before + 1);
    assert.equal(server.requests.at(-1)?.headers["user-agent"], "test/1");
  });

  it("sends the host, the length of a body, and prefers the headers of the request to the default ones", async () => {
    server.respond = (_request, response) => response.end("{}");
    const { send } = transport();
    const own = { "user-agent": "own/1", "accept-encoding": "br" };
    await send({ ...get(server.url), method: "POST", headers: own, body: "a=ä" });
    // For the same object, the transport has already prepared the headers.
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

  it("opens no more connections than allowed, and reuses them", async () => {
    server.respond = (_request, response) => response.end("{}");
    const before = server.connections;
    const { send } = transport();
    for (let round = 0; round < 2; round++) {
      await Promise.all(Array.from({ length: 20 }, () => send(get(server.url))));
    }
    assert.equal(server.connections - before, 4);
  });

  it("sends each request to the server in its URL, with the host of that server", async () => {
    const other = await startScriptedServer();
    const { send } = transport();
    for (const [index, { url }] of [server, other, server].entries()) {
      for (const each of [server, other])
        each.respond = (_request, response) => response.end(each.url);
      const { body } = await send(get(`${url}/${index}`));
      assert.equal(body.toString(), url);
    }
    assert.deepEqual(
      other.requests.map(({ path, headers }) => [path, headers.host]),
      [["/1", new URL(other.url).host]],
    );
  });

  it("decompresses gzip", async () => {
    server.respond = (_request, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("packed"));
    assert.equal((await transport().send(get(server.url))).body.toString(), "packed");
  });

  it("ends at the deadline, even if the body still arrives in small pieces", async () => {
    server.respond = (_request, response) => {
      const drip = setInterval(() => response.write("."), 20);
      response.on("close", () => clearInterval(drip));
    };
    await assert.rejects(transport().send(get(server.url, 200)), TimeoutError);
  });

  it("ends at the deadline if the server never responds", async () => {
    server.respond = () => {};
    await assert.rejects(transport().send(get(server.url, 100)), TimeoutError);
  });

  it("reads a received response before it checks the deadline, after the program was busy", async () => {
    const flags = new Int32Array(new SharedArrayBuffer(8));
    const worker = new Worker(compiled("test/support/slowServer.ts"), { workerData: flags });
    try {
      const [port] = (await once(worker, "message")) as [number];
      const request = get(`http://127.0.0.1:${port}`, 1_000);
      const sent = transport().send(request);
      await once(worker, "message"); // the server has received the request
      setFlag(flags, flag.isMainThreadBusy);
      waitForFlag(flags, flag.isResponseSent);
      while (performance.now() < request.limit.endMs + 10);
      assert.equal((await sent).body.toString(), "late");
    } finally {
      await worker.terminate();
    }
  });

  it("decompresses at once, also while the thread pool is busy", async () => {
    server.respond = (_request, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("packed"));
    const busy = Array.from({ length: 8 }, () =>
      promisify(pbkdf2)("p", "s", 100_000, 64, "sha512"),
    );
    let isBusy = true;
    void Promise.all(busy).then(() => (isBusy = false));
    await transport().send(get(server.url));
    assert.ok(isBusy);
    await Promise.all(busy);
  });

  it("keeps a response in little more memory than its size, even if it arrives in many pieces", () => {
    const received = new ReceivedBytes();
    for (let index = 0; index < 100_000; index++) received.add(Buffer.from([index % 251]));
    const bytes = received.bytes();
    assert.equal(bytes.length, 100_000);
    assert.ok(bytes.every((byte, index) => byte === index % 251));
    assert.ok(bytes.buffer.byteLength <= 2 * bytes.length + 8192);
  });

  it("treats an empty content-encoding as none", async () => {
    server.respond = (_request, response) =>
      response.writeHead(200, { "content-encoding": "" }).end("plain");
    assert.equal((await transport().send(get(server.url))).body.toString(), "plain");
  });

  it("keeps the process alive until the request ends, except in the background", async () => {
    server.respond = () => {};
    const outputOf = async (isInBackground: boolean) => {
      const request = { ...get(server.url), isInBackground, limit: undefined };
      const program = `
        const { createTransport } = require(${JSON.stringify(compiled("provider/http/transport.ts"))});
        const { send } = createTransport({ maxConnections: 1, caCertificates: [], headers: {} });
        const limit = { name: "attempt", durationMs: 0, endMs: performance.now() + ${isInBackground ? 60_000 : 500} };
        send({ ...${JSON.stringify(request)}, limit }).catch(() => console.log("settled"));`;
      return (await promisify(execFile)(process.execPath, ["-e", program])).stdout;
    };
    assert.equal(await outputOf(true), "");
    assert.equal(await outputOf(false), "settled\n");
  }).timeout(30_000);

  it("does not keep the process alive in the background while a proxy is silent", async () => {
    const proxy = createHttpServer().on("connect", () => {});
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    const { port } = proxy.address() as AddressInfo;
    const request = { ...get("https://login.example.com"), isInBackground: true };
    const program = `
      const { createTransport } = require(${JSON.stringify(compiled("provider/http/transport.ts"))});
      const { send } = createTransport({ maxConnections: 1, caCertificates: [], headers: {} });
      const limit = { name: "attempt", durationMs: 0, endMs: performance.now() + 600_000 };
      const proxy = "http://127.0.0.1:${port}";
      send({ ...${JSON.stringify(request)}, proxy, limit }).catch(() => console.log("settled"));`;
    const options = { timeout: 20_000 };
    const { stdout } = await promisify(execFile)(process.execPath, ["-e", program], options);
    assert.equal(stdout, "");
    proxy.closeAllConnections();
    proxy.close();
  }).timeout(30_000);

  it("opens a new connection for a request that must not use an idle one", async () => {
    server.respond = (_request, response) => response.end("{}");
    const { send } = transport();
    const before = server.connections;
    for (let call = 0; call < 3; call++) await send(get(server.url));
    assert.equal(server.connections - before, 1);
    for (let call = 0; call < 3; call++)
      await send({ ...get(server.url), isOnNewConnection: true });
    assert.equal(server.connections - before, 4);
  });

  it("rejects a response that is too large", async () => {
    server.respond = (_request, response) => response.end("x".repeat(1_001));
    assert.equal((await transportErrorOf(transport().send(get(server.url)))).kind, "tooLarge");
  });

  it("rejects a response that is too large after decompression", async () => {
    server.respond = (_request, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("x".repeat(100_000)));
    assert.equal((await transportErrorOf(transport().send(get(server.url)))).kind, "tooLarge");
  });

  it("rejects an encoding that it did not request, and broken gzip, as malformed", async () => {
    for (const encoding of ["br", "gzip"]) {
      server.respond = (_request, response) =>
        response.writeHead(200, { "content-encoding": encoding }).end("????");
      assert.equal(
        (await transportErrorOf(transport().send(get(server.url)))).kind,
        "malformed",
        encoding,
      );
    }
  });

  it("rejects with a network error if nothing listens", async () => {
    const error = await transportErrorOf(transport().send(get(await closedPort())));
    assert.deepEqual([error.kind, error.code], ["network", "ECONNREFUSED"]);
  });

  it("rejects half a response as a network error", async () => {
    server.respond = (_request, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("half", () => response.destroy());
    };
    assert.equal((await transportErrorOf(transport().send(get(server.url)))).kind, "network");
  });

  it("rejects an upgrade that it did not request as malformed, and closes the connection", async () => {
    let closed: Promise<unknown> | undefined;
    server.respond = ({ socket }) => {
      closed = once(socket, "close");
      socket.write(
        "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
      );
    };
    const error = await transportErrorOf(transport().send(get(server.url)));
    assert.deepEqual([error.kind, error.code], ["malformed", "UNEXPECTED_UPGRADE"]);
    await closed;
  });

  describe("with a server that does not speak HTTP", () => {
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

    it("rejects the response as malformed", async () => {
      const error = await transportErrorOf(transport().send(get(`http://127.0.0.1:${port}`)));
      assert.equal(error.kind, "malformed");
    });

    it("rejects a failed TLS handshake as a TLS error", async () => {
      const error = await transportErrorOf(transport().send(get(`https://127.0.0.1:${port}`)));
      assert.equal(error.kind, "tls");
    });
  });
});
