import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { Duplex } from "node:stream";
import { listen } from "../support/listen.js";
import { repository } from "../support/paths.js";
import { connectionTo, respondCorrectly } from "../support/scriptedServer.js";

const upgrade = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n";
const firstPart = 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"';

interface Fault {
  readonly name: string;
  /** What the server does after the request. Then the connection stays as it is. */
  readonly act: (socket: Duplex) => void;
  readonly code: string;
  readonly isAtProxy?: true;
}

const faults: readonly Fault[] = [
  { name: "there is no response", act: () => {}, code: "TIMEOUT" },
  { name: "a body stops in the middle", act: (socket) => socket.write(firstPart), code: "TIMEOUT" },
  {
    name: "the server closes its end in the middle of a body",
    act: (socket) => socket.end(firstPart),
    code: "UNREACHABLE",
  },
  { name: "the server closes its end early", act: (socket) => socket.end(), code: "UNREACHABLE" },
  { name: "the connection closes early", act: (socket) => socket.destroy(), code: "UNREACHABLE" },
  {
    name: "the protocol changes unasked",
    act: (socket) => socket.write(upgrade),
    code: "RESPONSE_INVALID",
  },
  {
    name: "the protocol changes unasked, and the connection closes",
    act: (socket) => socket.write(upgrade, () => socket.destroy()),
    code: "RESPONSE_INVALID",
  },
  { name: "the proxy is silent", act: () => {}, code: "TIMEOUT", isAtProxy: true },
  {
    name: "the proxy closes its end",
    act: (socket) => socket.end(),
    code: "UNREACHABLE",
    isAtProxy: true,
  },
];

const faultAt = (address = "") => faults[Number(/case-(\d+)/.exec(address)?.[1])];

/*
 * The reads are in a process of their own, one after another, so that nothing else runs there: Node ends a
 * process without a word if nothing is left that could happen, even if a promise waits.
 */
for (const target of ["sign-in", "read"] as const) {
  describe(`a program that waits for a ${target} alone`, () => {
    let exitCode: unknown;
    let printed = "";

    before(async function () {
      this.timeout(120_000);
      const server = createServer((request, response) => {
        const fault = faultAt(request.url);
        request.resume().on("end", () => {
          if (fault === undefined) respondCorrectly(request, response);
          else fault.act(request.socket);
        });
      });
      server.on("connect", ({ url }, socket) => faultAt(url)?.act(socket));
      const url = `http://127.0.0.1:${await listen(server)}`;
      // The first read loads modules, and gets the token for the other ones.
      const connection = connectionTo(url);
      const reads = faults.map(({ code, isAtProxy }, index) => ({
        proxy: isAtProxy ? url : "",
        connection: {
          ...connection,
          [target === "read" ? "baseUrl" : "authUrl"]: isAtProxy
            ? `https://case-${index}.example.com`
            : `${url}/case-${index}`,
          // Nothing has to be quick: the server does not end these requests.
          ...(code === "TIMEOUT" ? { timeoutSeconds: 0.5 } : {}),
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
      const child = execFile(process.execPath, ["-e", program], options);
      for (const stream of [child.stdout, child.stderr]) {
        stream?.on("data", (text) => (printed += String(text)));
      }
      [exitCode] = (await once(child, "close")) as [unknown];
    });

    const operation = target === "sign-in" ? "Signing in" : "Reading project p-1";
    for (const [index, { name, code }] of faults.entries()) {
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
