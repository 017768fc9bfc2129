/* Faults of the connection, of TLS and of HTTP. */
import { createServer } from "node:net";
import { createAuthority } from "../../support/certificates.js";
import { closedPort, listen } from "../../support/listen.js";
import { accepted, ends, type Exchange, type Fault, faultsOf, invalidResponse } from "./fault.js";
import { authority, withCertificate } from "./faultyService.js";
import { correctBytes, once, raw } from "./responses.js";

const unreachable = ends("0: UNREACHABLE", "0: UNREACHABLE");
const insecure = ends("0: TLS_FAILED", "0: TLS_FAILED");
const interrupted = ends("1: UNREACHABLE", "5: UNREACHABLE");
const timeout = ends("1: TIMEOUT", "5: TIMEOUT");

const reset = ({ request }: Exchange) => request.socket.resetAndDestroy();

const resetInBody = ({ response, correct }: Exchange) => {
  response.writeHead(200, { "content-length": String(correct.length + 1) });
  response.write(correct, () => response.socket?.resetAndDestroy());
};

const dripHeaders = ({ response }: Exchange) => {
  response.socket?.write("HTTP/1.1 200 OK\r\n");
  const drip = setInterval(() => response.socket?.write("x-drip: 1\r\n"), 30);
  response.socket?.on("close", () => clearInterval(drip));
};

const dripBody = ({ response }: Exchange) => {
  response.writeHead(200, { "content-type": "application/json" });
  const drip = setInterval(() => response.write(" "), 30);
  response.on("close", () => clearInterval(drip));
};

/** Responds with a body whose content-length is wrong by some bytes. */
const wrongLength = (bytes: number) =>
  raw(
    (correct) => `HTTP/1.1 200 OK\r\ncontent-length: ${correct.length + bytes}\r\n\r\n${correct}`,
  );

const earlyHints = "HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n";

const silentServer = async () => `https://127.0.0.1:${await listen(createServer(() => {}))}`;
const asks = { ca: authority.cert, requestCert: true };
const unknownAuthority = createAuthority("An unknown authority");

export const connectionFaults: readonly Fault[] = faultsOf([
  ["nothing listens at the address", { start: closedPort }, unreachable],
  [
    "the host name does not exist",
    { start: () => Promise.resolve("https://no-such-host.invalid") },
    unreachable,
  ],
  [
    "the TLS handshake stalls",
    { start: silentServer, stalls: true },
    ends("0: TIMEOUT", "0: TIMEOUT"),
  ],
  [
    "the certificate has expired",
    { start: withCertificate("localhost", { expired: true }) },
    insecure,
  ],
  [
    "the certificate is for another host",
    { start: withCertificate("elsewhere.example.com") },
    insecure,
  ],
  [
    "the certificate is from an unknown authority",
    { start: withCertificate("localhost", { issuer: unknownAuthority }) },
    insecure,
  ],
  [
    "the server asks for a client certificate in TLS 1.2",
    { start: withCertificate("localhost", {}, { ...asks, maxVersion: "TLSv1.2" }) },
    insecure,
  ],
  [
    "the server asks for a client certificate in TLS 1.3",
    { start: withCertificate("localhost", {}, { ...asks, minVersion: "TLSv1.3" }) },
    insecure,
  ],
  [
    "the address starts with http, and its port is one for https",
    { start: withCertificate("localhost", { scheme: "http" }) },
    unreachable,
  ],
  ["the connection is reset before the response", reset, interrupted],
  ["the connection is reset in the middle of the response", resetInBody, interrupted],
  ["the body is shorter than its content-length", wrongLength(10), interrupted],
  [
    "the connection is reset before the response, once",
    once(reset),
    ends("1: UNREACHABLE", "2: success"),
  ],
  ["there is no response", { respond: () => {}, stalls: true }, timeout],
  [
    "the headers arrive in small pieces, without end",
    { respond: dripHeaders, stalls: true },
    timeout,
  ],
  ["the body arrives in small pieces, without end", { respond: dripBody, stalls: true }, timeout],
  [
    "there is no response, once",
    { respond: once(() => {}), stalls: true },
    ends("1: TIMEOUT", "2: success"),
  ],
  ["the body is longer than its content-length", wrongLength(-9), invalidResponse],
  ["the response is not HTTP", raw(() => "220 mail ESMTP\r\n"), invalidResponse],
  [
    "an informational response comes first (103)",
    raw((correct) => earlyHints + correctBytes(correct)),
    accepted,
  ],
  [
    "the server sends two responses to one request",
    raw((correct) => correctBytes(correct) + correctBytes(correct)),
    accepted,
  ],
]);
