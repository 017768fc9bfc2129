/*
 * Calls of the service, each with a script for one of its requests: the bytes that the server or the
 * proxy sends instead of a correct response. A seed and the number of the call determine everything.
 */
import fc from "fast-check";
import type { Action, RawRequest, Script } from "./rawServer.js";
import { wireProject } from "./project.js";
import type { Call } from "./callService.js";

type Target = "token" | "list" | "read" | "tunnel";

export interface ScriptedCall extends Call {
  /** The behaviour, and whether the call goes through a proxy. */
  readonly kind: string;
  readonly behaviour: Behaviour;
  /** The request that meets the behaviour. All others get a correct response. */
  readonly target: Target;
  /** The number of requests that meet the behaviour. Later ones get a correct response. */
  readonly times: number;
  /** The number of requests to the target so far. */
  requests: number;
  readonly script: Script;
}

const { _id, name, type, status, domain } = wireProject();
const bodies: Record<Exclude<Target, "tunnel">, string> = {
  token: JSON.stringify({ access_token: "token", expires_in: 900, token_type: "bearer" }),
  list: JSON.stringify({ _embedded: { projectResources: [{ _id, name, type, status, domain }] } }),
  read: JSON.stringify(wireProject()),
};

function correctBytes(target: Target): Buffer {
  if (target === "tunnel") return Buffer.from("HTTP/1.1 200 Connection established\r\n\r\n");
  const body = bodies[target];
  return Buffer.from(
    `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

const waits = fc.integer({ min: 0, max: 60 });
const closings: fc.Arbitrary<Action[]> = fc.constantFrom<Action[]>(
  [],
  [{ close: "half" }],
  [{ close: "whole" }],
  [{ close: "reset" }],
);
const text = (value: string): Action => ({ write: Buffer.from(value, "latin1") });
const prefixOf = (bytes: Buffer) =>
  fc.integer({ min: 0, max: bytes.length }).map((length) => bytes.subarray(0, length));
const header = fc.constantFrom(
  "content-length: 0",
  "content-length: 7",
  "content-length: 99999999999999999999",
  "content-length: -1",
  "transfer-encoding: chunked",
  "transfer-encoding: gzip, chunked",
  "connection: close",
  "connection: upgrade",
  "upgrade: websocket",
  "retry-after: 0",
  "location: /elsewhere",
  "content-encoding: gzip",
  "trailer: x",
  "x\u0000y: z",
  " folded: line",
  "no colon",
  `x-long: ${"x".repeat(20_000)}`,
);
const response = fc
  .record({
    version: fc.constantFrom("1.1", "1.0", "0.9", "2.0"),
    status: fc.oneof(fc.integer({ min: 0, max: 999 }), fc.constantFrom(200, 204, 304, 401, 503)),
    headers: fc.array(header, { maxLength: 4 }),
    body: fc.constantFrom("", "{}", "0\r\n\r\n", '7\r\n{"a":1}\r\n0\r\n\r\n'),
  })
  .map(({ version, status, headers, body }) =>
    text(
      `HTTP/${version} ${status} Whatever\r\n${headers.map((line) => `${line}\r\n`).join("")}\r\n${body}`,
    ),
  );

/** Makes scripts from the bytes of a correct response. */
const behaviours = {
  correct: (good: Buffer) => fc.constant<Action[]>([{ write: good }]),
  silence: (good: Buffer) => prefixOf(good).map((write): Action[] => [{ write }]),
  pieces: (good: Buffer) =>
    fc
      .array(fc.tuple(fc.integer({ min: 0, max: good.length }), waits), { maxLength: 4 })
      .map((cuts): Action[] => {
        const places = cuts.map(([place]) => place).sort((a, b) => a - b);
        return [0, ...places].flatMap((start, index): Action[] => [
          { write: good.subarray(start, places[index] ?? good.length) },
          { waitMs: cuts[index]?.[1] ?? 0 },
        ]);
      }),
  halfClose: (good: Buffer) =>
    prefixOf(good).map((write): Action[] => [{ write }, { close: "half" }]),
  close: (good: Buffer) => prefixOf(good).map((write): Action[] => [{ write }, { close: "whole" }]),
  reset: (good: Buffer) =>
    fc
      .tuple(prefixOf(good), waits)
      .map(([write, waitMs]): Action[] => [{ write }, { waitMs }, { close: "reset" }]),
  garbage: () =>
    fc
      .tuple(
        fc.constantFrom("", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\n\r\n"),
        fc.uint8Array({ maxLength: 300 }),
        closings,
      )
      .map(([start, bytes, closing]): Action[] => [
        text(start),
        { write: Buffer.from(bytes) },
        ...closing,
      ]),
  changedBytes: (good: Buffer) =>
    fc
      .tuple(
        fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }),
        closings,
      )
      .map(([changes, closing]): Action[] => {
        const write = Buffer.from(good);
        for (const [place, byte] of changes) write[place] = byte;
        return [{ write }, ...closing];
      }),
  informational: (good: Buffer) =>
    fc
      .tuple(
        fc.array(fc.constantFrom(100, 102, 103, 110, 199), { minLength: 1, maxLength: 20 }),
        waits,
        fc.boolean(),
        closings,
      )
      .map(([statuses, waitMs, isEnded, closing]): Action[] => [
        ...statuses.map((status) => text(`HTTP/1.1 ${status} Wait\r\nlink: </x>\r\n\r\n`)),
        { waitMs },
        ...(isEnded ? [{ write: good }] : []),
        ...closing,
      ]),
  upgrade: (good: Buffer) =>
    fc
      .record({
        connection: fc.constantFrom("Upgrade", "Upgrade", "keep-alive, Upgrade", undefined),
        protocol: fc.constantFrom("websocket", "websocket", "h2c", undefined),
        status: fc.constantFrom(101, 101, 101, 101, 426),
        after: fc.constantFrom(Buffer.alloc(0), Buffer.from("\u0081\u0005hello"), good),
        closing: closings,
      })
      .map(({ connection, protocol, status, after, closing }): Action[] => [
        text(
          `HTTP/1.1 ${status} Switching Protocols\r\n` +
            (connection === undefined ? "" : `Connection: ${connection}\r\n`) +
            (protocol === undefined ? "" : `Upgrade: ${protocol}\r\n`) +
            "\r\n",
        ),
        { write: after },
        ...closing,
      ]),
  several: (good: Buffer) =>
    fc
      .tuple(
        fc.array(fc.oneof(response, fc.constant<Action>({ write: good })), {
          minLength: 2,
          maxLength: 5,
        }),
        closings,
      )
      .map(([responses, closing]): Action[] => [...responses, ...closing]),
  statuses: () =>
    fc.tuple(response, closings).map(([only, closing]): Action[] => [only, ...closing]),
};
type Behaviour = keyof typeof behaviours;
const behaviourNames = Object.keys(behaviours) as Behaviour[];

export const scriptKinds: readonly string[] = behaviourNames.flatMap((behaviour) => [
  kindOf(behaviour, false),
  kindOf(behaviour, true),
]);

function kindOf(behaviour: Behaviour, throughProxy: boolean): string {
  return `${behaviour}, ${throughProxy ? "through a proxy" : "direct"}`;
}

const arbitraryCall: fc.Arbitrary<ScriptedCall> = fc
  .record({
    behaviour: fc.constantFrom(...behaviourNames),
    throughProxy: fc.boolean(),
    target: fc.constantFrom<Target>("token", "list", "read", "tunnel"),
    times: fc.constantFrom(1, 1, 2, 99),
    byName: fc.boolean(),
  })
  .chain((call) => {
    const target = call.target === "tunnel" && !call.throughProxy ? "read" : call.target;
    return behaviours[call.behaviour](correctBytes(target)).map((script) => ({
      ...call,
      target,
      byName: call.byName || target === "list",
      kind: kindOf(call.behaviour, call.throughProxy),
      requests: 0,
      script,
    }));
  });

/** Makes the call with this number. Equal arguments make equal calls. */
export function makeScriptedCall(seed: number, index: number): ScriptedCall {
  const [call] = fc.sample(arbitraryCall, { seed: seed + index, numRuns: 1 });
  return call as ScriptedCall;
}

/** Makes a call that gets correct responses only. */
export function makeCorrectCall(): ScriptedCall {
  return {
    kind: kindOf("correct", false),
    behaviour: "correct",
    throughProxy: false,
    byName: false,
    target: "read",
    times: 0,
    requests: 0,
    script: [],
  };
}

/** Returns the script for a request. The server is also the proxy, and serves its tunnels. */
export function respondAsScripted(
  { method, target: address }: RawRequest,
  calls: readonly ScriptedCall[],
): Script | "tunnel" {
  const call = calls[Number(/call-(\d+)/.exec(address)?.[1])] as ScriptedCall;
  const target = targetOf(method, address);
  const isScripted = target === call.target && call.requests++ < call.times;
  if (isScripted) return call.script;
  return target === "tunnel" ? "tunnel" : [{ write: correctBytes(target) }];
}

function targetOf(method: string, address: string): Target {
  if (method === "CONNECT") return "tunnel";
  if (address.endsWith("/token")) return "token";
  return address.endsWith("/projects") ? "list" : "read";
}
