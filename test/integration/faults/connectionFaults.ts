/* Faults of the connection, of TLS and of HTTP. */
import {
  type Fault,
  fails,
  invalidResponse,
  noConnection,
  ok,
  outcomes,
  timeout,
  untrustedCertificate,
} from "./fault.js";
import { correctBytes, once, raw } from "./responses.js";

export const connectionFaults: readonly Fault[] = [
  {
    name: "nothing listens at the address",
    address: "refused",
    outcome: outcomes(fails(0, "UNREACHABLE"), fails(0, "UNREACHABLE")),
  },
  {
    name: "the host name does not exist",
    address: "unknownHost",
    outcome: outcomes(fails(0, "UNREACHABLE"), fails(0, "UNREACHABLE")),
  },
  {
    name: "the TLS handshake stalls",
    stalls: true,
    address: "silent",
    outcome: outcomes(fails(0, "TIMEOUT"), fails(0, "TIMEOUT")),
  },
  { name: "the certificate has expired", address: "expired", outcome: untrustedCertificate },
  {
    name: "the certificate is for another host",
    address: "wrongHost",
    outcome: untrustedCertificate,
  },
  {
    name: "the certificate is from an unknown authority",
    address: "unknownAuthority",
    outcome: untrustedCertificate,
  },
  {
    name: "the connection is reset before the response",
    respond: ({ request }) => request.socket.resetAndDestroy(),
    outcome: noConnection,
  },
  {
    name: "the connection is reset in the middle of the response",
    respond: ({ response, correct }) => {
      response.writeHead(200, { "content-length": String(correct.length + 1) });
      response.write(correct, () => response.socket?.resetAndDestroy());
    },
    outcome: noConnection,
  },
  {
    name: "the connection is reset before the response, once",
    respond: once(({ request }) => request.socket.resetAndDestroy()),
    outcome: outcomes(fails(1, "UNREACHABLE"), ok(2)),
  },
  { name: "there is no response", stalls: true, respond: () => {}, outcome: timeout },
  {
    name: "there is no response, once",
    stalls: true,
    respond: once(() => {}),
    outcome: outcomes(fails(1, "TIMEOUT"), ok(2)),
  },
  {
    name: "the headers arrive in small pieces, without end",
    stalls: true,
    respond: ({ response }) => {
      response.socket?.write("HTTP/1.1 200 OK\r\n");
      const drip = setInterval(() => response.socket?.write("x-drip: 1\r\n"), 30);
      response.socket?.on("close", () => clearInterval(drip));
    },
    outcome: timeout,
  },
  {
    name: "the body arrives in small pieces, without end",
    stalls: true,
    respond: ({ response }) => {
      response.writeHead(200, { "content-type": "application/json" });
      const drip = setInterval(() => response.write(" "), 30);
      response.on("close", () => clearInterval(drip));
    },
    outcome: timeout,
  },
  {
    name: "the body is shorter than its content-length",
    respond: raw(
      (correct) => `HTTP/1.1 200 OK\r\ncontent-length: ${correct.length + 10}\r\n\r\n${correct}`,
    ),
    outcome: noConnection,
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
    outcome: outcomes(ok(1), ok(1)),
  },
  {
    name: "the server sends two responses to one request",
    respond: raw((correct) => correctBytes(correct) + correctBytes(correct)),
    outcome: outcomes(ok(1), ok(1)),
  },
];
