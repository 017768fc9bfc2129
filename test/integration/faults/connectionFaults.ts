/* Faults of the connection, of TLS and of HTTP. */
import {
  type FaultRow,
  invalidResponse,
  noConnection,
  timeout,
  untrustedCertificate,
} from "./fault.js";
import { correctBytes, once, raw } from "./responses.js";

export const connectionFaults: readonly FaultRow[] = [
  [
    "nothing listens at the address",
    ["0: UNREACHABLE", "0: UNREACHABLE"],
    undefined,
    {
      address: "refused",
    },
  ],
  [
    "the host name does not exist",
    ["0: UNREACHABLE", "0: UNREACHABLE"],
    undefined,
    {
      address: "unknownHost",
    },
  ],
  [
    "the TLS handshake stalls",
    ["0: TIMEOUT", "0: TIMEOUT"],
    undefined,
    {
      address: "silent",
      stalls: true,
    },
  ],
  ["the certificate has expired", untrustedCertificate, undefined, { address: "expired" }],
  [
    "the certificate is for another host",
    untrustedCertificate,
    undefined,
    {
      address: "wrongHost",
    },
  ],
  [
    "the certificate is from an unknown authority",
    untrustedCertificate,
    undefined,
    {
      address: "unknownAuthority",
    },
  ],
  [
    "the connection is reset before the response",
    noConnection,
    ({ request }) => request.socket.resetAndDestroy(),
  ],
  [
    "the connection is reset in the middle of the response",
    noConnection,
    ({ response, correct }) => {
      response.writeHead(200, { "content-length": String(correct.length + 1) });
      response.write(correct, () => response.socket?.resetAndDestroy());
    },
  ],
  [
    "the connection is reset before the response, once",
    ["1: UNREACHABLE", "2"],
    once(({ request }) => request.socket.resetAndDestroy()),
  ],
  ["there is no response", timeout, () => {}, { stalls: true }],
  ["there is no response, once", ["1: TIMEOUT", "2"], once(() => {}), { stalls: true }],
  [
    "the headers arrive in small pieces, without end",
    timeout,
    ({ response }) => {
      response.socket?.write("HTTP/1.1 200 OK\r\n");
      const drip = setInterval(() => response.socket?.write("x-drip: 1\r\n"), 30);
      response.socket?.on("close", () => clearInterval(drip));
    },
    { stalls: true },
  ],
  [
    "the body arrives in small pieces, without end",
    timeout,
    ({ response }) => {
      response.writeHead(200, { "content-type": "application/json" });
      const drip = setInterval(() => response.write(" "), 30);
      response.on("close", () => clearInterval(drip));
    },
    { stalls: true },
  ],
  [
    "the body is shorter than its content-length",
    noConnection,
    raw((correct) => `HTTP/1.1 200 OK\r\ncontent-length: ${correct.length + 10}\r\n\r\n${correct}`),
  ],
  [
    "the body is longer than its content-length",
    invalidResponse,
    raw((correct) => `HTTP/1.1 200 OK\r\ncontent-length: ${correct.length - 9}\r\n\r\n${correct}`),
  ],
  [
    "the chunked body is invalid",
    invalidResponse,
    raw((correct) => `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n${correct}`),
  ],
  ["the response is not HTTP", invalidResponse, raw(() => "220 mail ESMTP\r\n")],
  [
    "the server switches to another protocol (101)",
    invalidResponse,
    raw(
      () => "HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n",
    ),
  ],
  [
    "an informational response comes first (103)",
    ["1", "1"],
    raw((correct) => `HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n${correctBytes(correct)}`),
  ],
  [
    "the server sends two responses to one request",
    ["1", "1"],
    raw((correct) => correctBytes(correct) + correctBytes(correct)),
  ],
];
