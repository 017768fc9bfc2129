/* Faults of the connection, of TLS and of HTTP. */
import { createServer } from "node:net";
import { createAuthority } from "../../support/certificates.js";
import { closedPort, listen } from "../../support/listen.js";
import { accepted, type Fault, invalidResponse } from "./fault.js";
import { withCertificate } from "./faultyService.js";
import { correctBytes, once, raw } from "./responses.js";

export const connectionFaults: readonly Fault[] = [
  {
    name: "nothing listens at the address",
    start: closedPort,
    outcome: { signIn: "0: UNREACHABLE", reads: "0: UNREACHABLE" },
  },
  {
    name: "the host name does not exist",
    start: () => Promise.resolve("https://no-such-host.invalid"),
    outcome: { signIn: "0: UNREACHABLE", reads: "0: UNREACHABLE" },
  },
  {
    name: "the TLS handshake stalls",
    stalls: true,
    start: async () => `https://127.0.0.1:${await listen(createServer(() => {}))}`,
    outcome: { signIn: "0: TIMEOUT", reads: "0: TIMEOUT" },
  },
  {
    name: "the certificate has expired",
    start: withCertificate("localhost", { expired: true }),
    outcome: { signIn: "0: TLS_FAILED", reads: "0: TLS_FAILED" },
  },
  {
    name: "the certificate is for another host",
    start: withCertificate("elsewhere.example.com"),
    outcome: { signIn: "0: TLS_FAILED", reads: "0: TLS_FAILED" },
  },
  {
    name: "the certificate is from an unknown authority",
    start: withCertificate("localhost", { issuer: createAuthority("An unknown authority") }),
    outcome: { signIn: "0: TLS_FAILED", reads: "0: TLS_FAILED" },
  },
  {
    name: "the connection is reset before the response",
    respond: ({ request }) => request.socket.resetAndDestroy(),
    outcome: { signIn: "1: UNREACHABLE", reads: "3: UNREACHABLE" },
  },
  {
    name: "the connection is reset in the middle of the response",
    respond: ({ response, correct }) => {
      response.writeHead(200, { "content-length": String(correct.length + 1) });
      response.write(correct, () => response.socket?.resetAndDestroy());
    },
    outcome: { signIn: "1: UNREACHABLE", reads: "3: UNREACHABLE" },
  },
  {
    name: "the body is shorter than its content-length",
    respond: raw(
      (correct) => `HTTP/1.1 200 OK\r\ncontent-length: ${correct.length + 10}\r\n\r\n${correct}`,
    ),
    outcome: { signIn: "1: UNREACHABLE", reads: "3: UNREACHABLE" },
  },
  {
    name: "the connection is reset before the response, once",
    respond: once(({ request }) => request.socket.resetAndDestroy()),
    outcome: { signIn: "1: UNREACHABLE", reads: "2: success" },
  },
  {
    name: "there is no response",
    stalls: true,
    respond: () => {},
    outcome: { signIn: "1: TIMEOUT", reads: "3: TIMEOUT" },
  },
  {
    name: "the headers arrive in small pieces, without end",
    stalls: true,
    respond: ({ response }) => {
      response.socket?.write("HTTP/1.1 200 OK\r\n");
      const drip = setInterval(() => response.socket?.write("x-drip: 1\r\n"), 30);
      response.socket?.on("close", () => clearInterval(drip));
    },
    outcome: { signIn: "1: TIMEOUT", reads: "3: TIMEOUT" },
  },
  {
    name: "the body arrives in small pieces, without end",
    stalls: true,
    respond: ({ response }) => {
      response.writeHead(200, { "content-type": "application/json" });
      const drip = setInterval(() => response.write(" "), 30);
      response.on("close", () => clearInterval(drip));
    },
    outcome: { signIn: "1: TIMEOUT", reads: "3: TIMEOUT" },
  },
  {
    name: "there is no response, once",
    stalls: true,
    respond: once(() => {}),
    outcome: { signIn: "1: TIMEOUT", reads: "2: success" },
  },
  {
    name: "the body is longer than its content-length",
    respond: raw(
      (correct) => `HTTP/1.1 200 OK\r\ncontent-length: ${correct.length - 9}\r\n\r\n${correct}`,
    ),
    outcome: invalidResponse,
  },
  {
    name: "the chunked body is invalid",
    respond: raw(
      (correct) => `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n${correct}`,
    ),
    outcome: invalidResponse,
  },
  {
    name: "the response is not HTTP",
    respond: raw(() => "220 mail ESMTP\r\n"),
    outcome: invalidResponse,
  },
  {
    name: "the server switches to another protocol (101)",
    respond: raw(
      () => "HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n",
    ),
    outcome: invalidResponse,
  },
  {
    name: "an informational response comes first (103)",
    respond: raw(
      (correct) => `HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n${correctBytes(correct)}`,
    ),
    outcome: accepted,
  },
  {
    name: "the server sends two responses to one request",
    respond: raw((correct) => correctBytes(correct) + correctBytes(correct)),
    outcome: accepted,
  },
];
