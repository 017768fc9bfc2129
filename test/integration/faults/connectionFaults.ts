/* Faults of the connection, of TLS and of HTTP. */
import { createServer } from "node:net";
import { createAuthority } from "../../support/certificates.js";
import { closedPort, listen } from "../../support/listen.js";
import { type Exchange, type Fault, faultsOf, type Respond } from "./fault.js";
import { authority, withCertificate } from "./faultyService.js";
import { correctBytes, once, raw } from "./responses.js";

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

const stallsIf = (respond: Respond) => ({ respond, stalls: true }) as const;

export const connectionFaults: readonly Fault[] = faultsOf({
  "nothing listens at the address": { start: closedPort },
  "the host name does not exist": { start: () => Promise.resolve("https://no-such-host.invalid") },
  "the TLS handshake stalls": { start: silentServer, stalls: true },
  "the certificate has expired": { start: withCertificate("localhost", { expired: true }) },
  "the certificate is for another host": { start: withCertificate("elsewhere.example.com") },
  "the certificate is from an unknown authority": {
    start: withCertificate("localhost", { issuer: unknownAuthority }),
  },
  "the server asks for a client certificate in TLS 1.2": {
    start: withCertificate("localhost", {}, { ...asks, maxVersion: "TLSv1.2" }),
  },
  "the server asks for a client certificate in TLS 1.3": {
    start: withCertificate("localhost", {}, { ...asks, minVersion: "TLSv1.3" }),
  },
  "the address starts with http, and its port is one for https": {
    start: withCertificate("localhost", { scheme: "http" }),
  },
  "the connection is reset before the response": reset,
  "the connection is reset in the middle of the response": resetInBody,
  "the body is shorter than its content-length": wrongLength(10),
  "the connection is reset before the response, once": once(reset),
  "there is no response": stallsIf(() => {}),
  "the headers arrive in small pieces, without end": stallsIf(dripHeaders),
  "the body arrives in small pieces, without end": stallsIf(dripBody),
  "there is no response, once": stallsIf(once(() => {})),
  "the body is longer than its content-length": wrongLength(-9),
  "the response is not HTTP": raw(() => "220 mail ESMTP\r\n"),
  "an informational response comes first (103)": raw(
    (correct) => earlyHints + correctBytes(correct),
  ),
  "the server sends two responses to one request": raw(
    (correct) => correctBytes(correct) + correctBytes(correct),
  ),
});
