import assert from "node:assert/strict";
import { createServer, type IncomingMessage } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { connect } from "node:net";
import { createSecureContext } from "node:tls";
import type { Duplex } from "node:stream";
import { getProject } from "../../sdk/index.js";
import { useFastClock } from "../support/clock.js";
import { type Certificate, createAuthority, createCertificate } from "../support/certificates.js";
import { failureOf } from "../support/failure.js";
import { listen } from "../support/listen.js";
import { connectionTo, respondCorrectly } from "../support/scriptedServer.js";

const host = "projects.example.com";
const authHost = "login.example.com";

/** A Project Service with TLS at host names that only a proxy can resolve, and this proxy. */
describe("in the network", () => {
  useFastClock();
  const authority = createAuthority("A private authority");
  let port: number;
  let proxyPort: number;
  let tlsProxyPort: number;
  let tlsProxyAtIpPort: number;
  let onConnect: (request: IncomingMessage, socket: Duplex) => void;
  /** The addresses to which the proxy was to connect. */
  const tunnels: string[] = [];

  /** Starts the proxy at an IPv6 address. */
  const listenOnIPv6 = () => listen(createServer().on("connect", onConnect), "::1");

  before(async () => {
    const names: Record<string, Certificate> = {
      [host]: createCertificate(authority, host),
      [authHost]: createCertificate(authority, authHost),
    };
    const service = createTlsServer(
      { SNICallback: (name, done) => done(null, createSecureContext(names[name] ?? names[host])) },
      (request, response) => respondCorrectly(request.resume(), response),
    );
    port = await listen(service);
    onConnect = (request, socket) => {
      tunnels.push(request.url ?? "");
      assert.match(request.headers["user-agent"] ?? "", /^pulumi-project-service\//);
      const credentials = Buffer.from("clerk:pr0xy-p4ssword").toString("base64");
      if (request.headers["proxy-authorization"] !== `Basic ${credentials}`) {
        return void socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
      }
      const upstream = connect(port, "127.0.0.1", () => {
        const status = tunnels.length % 2 === 0 ? 200 : 201;
        socket.write(`HTTP/1.1 ${status} Connection established\r\n\r\n`);
        socket.pipe(upstream).pipe(socket);
      });
      upstream.on("error", () => {});
    };
    proxyPort = await listen(createServer().on("connect", onConnect));
    const certificate = createCertificate(authority, "localhost");
    tlsProxyPort = await listen(createTlsServer(certificate).on("connect", onConnect));
    const ofAddress = createCertificate(authority, "127.0.0.1");
    tlsProxyAtIpPort = await listen(createTlsServer(ofAddress).on("connect", onConnect));
  });

  const variables = ["HTTPS_PROXY", "NO_PROXY", "https_proxy", "ALL_PROXY"];
  beforeEach(() => {
    tunnels.length = 0;
    process.env["HTTPS_PROXY"] = `http://clerk:pr0xy-p4ssword@127.0.0.1:${proxyPort}`;
  });
  afterEach(() => {
    for (const variable of variables) delete process.env[variable];
  });

  let users = 0;
  const connection = (changes: object = {}) =>
    connectionTo(`https://${host}`, {
      authUrl: `https://${authHost}`,
      username: `user-${++users}`,
      caCertificate: authority.cert,
      timeoutSeconds: 600,
      ...changes,
    });
  const read = (changes?: object) =>
    getProject({ projectId: "p-1" }, { connection: connection(changes) });

  it("sign-in and reads go through the proxy of the environment, with TLS between client and server", async () => {
    assert.equal((await read()).name, "shop");
    assert.deepEqual(tunnels, [`${authHost}:443`, `${host}:443`]);
  });

  it("requests to a host in NO_PROXY go without proxy", async () => {
    process.env["NO_PROXY"] = authHost;
    const { url } = await failureOf(read(), "UNREACHABLE");
    assert.match(url ?? "", /^https:\/\/login\.example\.com\/auth/);
    assert.deepEqual(tunnels, []);
  });

  it("requests to loopback go without proxy", async () => {
    await failureOf(read({ authUrl: "https://127.0.0.1:1" }), "UNREACHABLE");
    assert.deepEqual(tunnels, []);
  });

  it("a request through a silent proxy ends at the deadline, and its connection is closed", async () => {
    const openSockets = new Set<Duplex>();
    const silent = createServer().on("connect", (_request, socket) => {
      openSockets.add(socket);
      socket.resume().on("end", () => openSockets.delete(socket)); // half-open, as in HTTP servers
    });
    process.env["HTTPS_PROXY"] = `http://127.0.0.1:${await listen(silent)}`;
    const startMs = performance.now();
    const { message } = await failureOf(read({ timeoutSeconds: 4 }), "TIMEOUT");
    assert.match(message, /proxy .* within 4 s/);
    assert.ok(performance.now() - startMs < 10_000);
    while (openSockets.size > 0) await new Promise((resolve) => setTimeout(resolve, 10));
  });

  it("a proxy that responds 502 once is asked again, and one that says nothing four times", async () => {
    let isBad = true;
    const proxy = createServer().on("connect", (request, socket) => {
      tunnels.push(request.url ?? "");
      if (isBad) socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
      isBad = false;
    });
    process.env["HTTPS_PROXY"] = `http://127.0.0.1:${await listen(proxy)}`;
    await failureOf(read({ timeoutSeconds: 15, username: "new" }), "TIMEOUT");
    // The password was not sent, because there was no connection to the identity provider.
    assert.equal(tunnels.length, 5);
  });

  it("the variable in lower case comes first, and its address without a scheme means http", async () => {
    process.env["HTTPS_PROXY"] = "https://127.0.0.1:9";
    process.env["https_proxy"] = `clerk:pr0xy-p4ssword@127.0.0.1:${proxyPort}`;
    assert.equal((await read()).name, "shop");
    delete process.env["https_proxy"];
    delete process.env["HTTPS_PROXY"];
    process.env["ALL_PROXY"] = `clerk:pr0xy-p4ssword@127.0.0.1:${proxyPort}`;
    assert.equal((await read()).name, "shop");
    assert.equal(tunnels.length, 4);
  });

  // A warning of Node would fail the test: an IP address is no server name.
  it("an https proxy is reached over TLS, and caCertificate applies to its certificate", async () => {
    for (const proxy of [`localhost:${tlsProxyPort}`, `127.0.0.1:${tlsProxyAtIpPort}`]) {
      process.env["HTTPS_PROXY"] = `https://clerk:pr0xy-p4ssword@${proxy}`;
      assert.equal((await read()).name, "shop");
      const { message } = await failureOf(read({ caCertificate: undefined }), "TLS_FAILED");
      assert.ok(message.includes(`the proxy ${proxy} `), message);
    }
  });

  it("IPv6 addresses of proxies and servers work", async () => {
    process.env["HTTPS_PROXY"] = `http://clerk:pr0xy-p4ssword@[::1]:${await listenOnIPv6()}`;
    const { message } = await failureOf(
      read({ authUrl: "https://[2001:db8::1]:8443" }),
      "TLS_FAILED",
    );
    assert.match(message, /2001:db8::1/);
    assert.deepEqual(tunnels, ["[2001:db8::1]:8443"]);
  });
});
