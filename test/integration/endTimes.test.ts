import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { Duplex } from "node:stream";
import { listen } from "../support/listen.js";
import { compiled, repository } from "../support/paths.js";
import { connectionTo, respondCorrectly } from "../support/scriptedServer.js";

const firstPart = 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"';

/** All that the server or the proxy does after a request has arrived. */
type Act = (socket: Duplex) => unknown;

const nothing: Act = () => {};

const faults: readonly (readonly [name: string, act: Act, code: string, place?: "proxy"])[] = [
  ["there is no response", nothing, "TIMEOUT"],
  ["a body stops in the middle", (socket) => socket.write(firstPart), "TIMEOUT"],
  [
    "the server closes its end in the middle of a body",
    (socket) => socket.end(firstPart),
    "UNREACHABLE",
  ],
  ["the server closes its end early", (socket) => socket.end(), "UNREACHABLE"],
  ["the connection closes early", (socket) => socket.destroy(), "UNREACHABLE"],
  ["the response is not HTTP", (socket) => socket.end("220 mail\r\n"), "RESPONSE_INVALID"],
  ["the proxy is silent", nothing, "TIMEOUT", "proxy"],
  ["the proxy closes its end", (socket) => socket.end(), "UNREACHABLE", "proxy"],
];

/** Returns what happens at an address. */
const actAt = (address = "") => faults[Number(/case-(\d+)/.exec(address)?.[1])]?.[1];

/*
 * The reads are in a process of their own, one after another, so that nothing else runs there: Node ends a
 * process without a word if nothing is left that could happen, even if a promise waits.
 */
for (const target of ["sign-in", "read"] as const) {
  describe(`a program that waits for a ${target} alone`, () => {
    let exitCode: unknown;
    let printed = "";

    before(async () => {
      const server = createServer((request, response) => {
        const act = actAt(request.url);
        request.resume().on("end", () => {
          if (act === undefined) respondCorrectly(request, response);
          else act(request.socket);
        });
      });
      server.on("connect", ({ url }, socket) => actAt(url)?.(socket));
      const url = `http://127.0.0.1:${await listen(server)}`;
      // The first read loads modules, and gets the token for the other ones.
      const connection = connectionTo(url);
      const reads = faults.map(([, , code, place], index) => ({
        proxy: place === "proxy" ? url : "",
        connection: {
          ...connection,
          [target === "read" ? "baseUrl" : "authUrl"]:
            place === "proxy" ? `https://case-${index}.example.com` : `${url}/case-${index}`,
          // Nothing has to be quick: the server does not end these requests. The clock of the program is.
          timeoutSeconds: code === "TIMEOUT" ? 10 : 300,
        },
      }));
      const program = `
        const { getProject } = require("pulumi-project-service");
        const read = ({ connection, proxy }) => {
          process.env.HTTPS_PROXY = proxy;
          return getProject({ projectId: "p-1" }, { connection });
        };
        (async () => {
          const reads = ${JSON.stringify(reads)};
          await read(${JSON.stringify({ connection, proxy: "" })});
          for (const each of reads) await read(each).catch(({ stack }) => console.log(stack));
          console.log("unhandled:");
          read(reads[5]);
        })();`;
      const options = { cwd: repository, timeout: 110_000 };
      const node = ["--require", compiled("test/support/fastClock.ts"), "-e", program];
      const child = execFile(process.execPath, node, options);
      for (const stream of [child.stdout, child.stderr]) {
        stream?.on("data", (text) => (printed += String(text)));
      }
      [exitCode] = (await once(child, "close")) as [unknown];
    });

    const operation = target === "sign-in" ? "Signing in" : "Reading project p-1";
    for (const [index, [name, , code]] of faults.entries()) {
      it(`gets an error if ${name}`, () => {
        const prefix = target === "sign-in" && code === "RESPONSE_INVALID" ? "LOGIN_" : "";
        const start = `ProjectServiceError [${prefix}${code}]: ${operation}`;
        const line = printed.split("\n")[index] ?? "";
        assert.ok(line.startsWith(start), `${line}\nafter:\n${printed}`);
        assert.match(line, new RegExp(`case-${index}[./]`));
      });
    }

    it("fails with the error, if the program does not handle it", () => {
      const [, unhandled = ""] = printed.split("unhandled:");
      assert.match(unhandled, new RegExp(`RESPONSE_INVALID\\]: ${operation}`));
      assert.equal(exitCode, 1);
    });
  });
}
