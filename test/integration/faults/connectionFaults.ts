/* Faults of the connection, of TLS and of HTTP. */
import {
  type Fault,
  faults,
  invalidResponse,
  noConnection,
  timeout,
  untrustedCertificate,
} from "./fault.js";
import { correctBytes, once, raw } from "./responses.js";

export const connectionFaults: readonly Fault[] = [
  ...faults(["0: UNREACHABLE", "0: UNREACHABLE"], {
    "nothing listens at the address": { address: "refused" },
    "the host name does not exist": { address: "unknownHost" },
  }),
  ...faults(["0: TIMEOUT", "0: TIMEOUT"], {
    "the TLS handshake stalls": { address: "silent", stalls: true },
  }),
  ...faults(untrustedCertificate, {
    "the certificate has expired": { address: "expired" },
    "the certificate is for another host": { address: "wrongHost" },
    "the certificate is from an unknown authority": { address: "unknownAuthority" },
  }),
  ...faults(noConnection, {
    "the connection is reset before the response": ({ request }) =>
      request.socket.resetAndDestroy(),
    "the connection is reset in the middle of the response": ({ response, correct }) => {
      response.writeHead(200, { "content-length": String(correct.length + 1) });
      response.write(correct, () => response.socket?.resetAndDestroy());
    },
    "the body is shorter than its content-length": raw(
      (correct) => `HTTP/1.1 200 OK\r\ncontent-length: ${correct.length + 10}\r\n\r\n${correct}`,
    ),
  }),
  ...faults(["1: UNREACHABLE", "2"], {
    "the connection is reset before the response, once": once(({ request }) =>
      request.socket.resetAndDestroy(),
    ),
  }),
  ...faults(timeout, {
    "there is no response": { stalls: true, respond: () => {} },
    "the headers arrive in small pieces, without end": {
      stalls: true,
      respond: ({ response }) => {
        response.socket?.write("HTTP/1.1 200 OK\r\n");
        const drip = setInterval(() => response.socket?.write("x-drip: 1\r\n"), 30);
        response.socket?.on("close", () => clearInterval(drip));
      },
    },
    "the body arrives in small pieces, without end": {
      stalls: true,
      respond: ({ response }) => {
        response.writeHead(200, { "content-type": "application/json" });
        const drip = setInterval(() => response.write(" "), 30);
        response.on("close", () => clearInterval(drip));
      },
    },
  }),
  ...faults(["1: TIMEOUT", "2"], {
    "there is no response, once": { stalls: true, respond: once(() => {}) },
  }),
  ...faults(invalidResponse, {
    "the body is longer than its content-length": raw(
      (correct) => `HTTP/1.1 200 OK\r\ncontent-length: ${correct.length - 9}\r\n\r\n${correct}`,
    ),
    "the chunked body is invalid": raw(
      (correct) => `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n${correct}`,
    ),
    "the response is not HTTP": raw(() => "220 mail ESMTP\r\n"),
    "the server switches to another protocol (101)": raw(
      () => "HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n",
    ),
  }),
  ...faults(["1", "1"], {
    "an informational response comes first (103)": raw(
      (correct) => `HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n${correctBytes(correct)}`,
    ),
    "the server sends two responses to one request": raw(
      (correct) => correctBytes(correct) + correctBytes(correct),
    ),
  }),
];
