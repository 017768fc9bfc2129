/*
 * What can go wrong between us and a server, what we do about it, and how it ends: the table of the
 * fault matrix and of docs/faults.md.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import type { ProjectServiceErrorCode } from "../../provider/errors.js";

/** What the request is for. */
export type Target = "token" | "list" | "read";

/** How a request ends: with an error's code, or well. `requests` counts those that reach the server. */
export interface Outcome {
  readonly requests: number;
  readonly code?: ProjectServiceErrorCode;
}

/** What a faulty server is given to misbehave with. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The answer that a sound server would give, as JSON text. */
  readonly good: string;
  /** How many requests of this kind came before. */
  readonly earlier: number;
}

export interface Fault {
  readonly name: string;
  /** Where there is no server to misbehave: an address that is wrong by itself. */
  readonly address?: "refused" | "unknownHost" | "mute" | "expired" | "wrongHost" | "unknownCa";
  readonly answer?: (exchange: Exchange) => void;
  /** Only the deadline ends it: the test sets a short one. */
  readonly stalls?: true;
  readonly outcome: Readonly<Record<Target, Outcome>>;
}

const ok = (requests: number): Outcome => ({ requests });
const fails = (requests: number, code: ProjectServiceErrorCode): Outcome => ({ requests, code });

/** The same for the list and the single read. */
function outcomes(token: Outcome, api: Outcome): Fault["outcome"] {
  return { token, list: api, read: api };
}

/** An answer that cannot be used, and is not asked for again. */
const unusable = outcomes(fails(1, "LOGIN_RESPONSE_INVALID"), fails(1, "RESPONSE_INVALID"));
const lostOnTheWay = outcomes(fails(1, "UNREACHABLE"), fails(3, "UNREACHABLE"));
const tooLate = outcomes(fails(1, "TIMEOUT"), fails(3, "TIMEOUT"));
/** The list is read once more, and is still not whole. */
const shortList = { token: ok(1), list: fails(2, "LIST_INCOMPLETE"), read: ok(1) };
const untrusted = outcomes(fails(0, "TLS_FAILED"), fails(0, "TLS_FAILED"));

function status(code: number, headers: Record<string, string> = {}, body = "{}") {
  return ({ response }: Exchange) => {
    response.writeHead(code, { "content-type": "application/json", ...headers }).end(body);
  };
}

function body(make: (good: string) => string | Buffer, headers: Record<string, string> = {}) {
  return ({ response, good }: Exchange) => {
    response.writeHead(200, { "content-type": "application/json", ...headers }).end(make(good));
  };
}

/** Bytes on the socket, past Node's HTTP. */
function raw(make: (good: string) => string) {
  return ({ response, good }: Exchange) => {
    response.socket?.end(make(good));
  };
}

/** A response as bytes. */
function whole(good: string): string {
  return `HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(good)}\r\n\r\n${good}`;
}

/** Misbehaves at the first request only. */
function once(answer: (exchange: Exchange) => void) {
  return (exchange: Exchange) => (exchange.earlier === 0 ? answer(exchange) : sound(exchange));
}

function sound({ response, good }: Exchange): void {
  response.writeHead(200, { "content-type": "application/json" }).end(good);
}

/** Changes the answer as JSON; `at` names the place for each kind of request. */
function change(edit: (answer: never) => void) {
  return body((good) => {
    const answer = JSON.parse(good) as never;
    edit(answer);
    return JSON.stringify(answer);
  });
}

interface Answer {
  access_token?: unknown;
  _id?: unknown;
  name?: unknown;
  _embedded?: { projectResources: { name: unknown; domain: unknown }[] };
  projectEnvironments?: {
    environmentId: unknown;
    order: unknown;
    projectEnvironmentCode: { initialized: unknown };
    projectEnvironmentDatabases: { databases: { associationId: unknown }[] };
  }[];
}

const deep = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

export const faults: readonly Fault[] = [
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
    address: "mute",
    outcome: outcomes(fails(0, "TIMEOUT"), fails(0, "TIMEOUT")),
  },
  { name: "the certificate has expired", address: "expired", outcome: untrusted },
  { name: "the certificate is for another host", address: "wrongHost", outcome: untrusted },
  { name: "the certificate is of an unknown authority", address: "unknownCa", outcome: untrusted },
  {
    name: "the connection is reset before the answer",
    answer: ({ request }) => request.socket.resetAndDestroy(),
    outcome: lostOnTheWay,
  },
  {
    name: "the connection is reset in mid-answer",
    answer: ({ response, good }) => {
      response.writeHead(200, { "content-length": String(good.length + 1) });
      response.write(good, () => response.socket?.resetAndDestroy());
    },
    outcome: lostOnTheWay,
  },
  {
    name: "the connection is reset once",
    answer: once(({ request }) => request.socket.resetAndDestroy()),
    outcome: outcomes(fails(1, "UNREACHABLE"), ok(2)),
  },
  { name: "no answer comes", stalls: true, answer: () => {}, outcome: tooLate },
  {
    name: "no answer comes once",
    stalls: true,
    answer: once(() => {}),
    outcome: outcomes(fails(1, "TIMEOUT"), ok(2)),
  },
  {
    name: "the headers drip",
    stalls: true,
    answer: ({ response }) => {
      response.socket?.write("HTTP/1.1 200 OK\r\n");
      const drip = setInterval(() => response.socket?.write("x-drip: 1\r\n"), 30);
      response.socket?.on("close", () => clearInterval(drip));
    },
    outcome: tooLate,
  },
  {
    name: "the body drips",
    stalls: true,
    answer: ({ response }) => {
      response.writeHead(200, { "content-type": "application/json" });
      const drip = setInterval(() => response.write(" "), 30);
      response.on("close", () => clearInterval(drip));
    },
    outcome: tooLate,
  },
  {
    name: "the body is cut off",
    answer: raw((good) => `HTTP/1.1 200 OK\r\ncontent-length: ${good.length + 10}\r\n\r\n${good}`),
    outcome: lostOnTheWay,
  },
  {
    name: "the body is longer than it says",
    answer: raw((good) => `HTTP/1.1 200 OK\r\ncontent-length: ${good.length - 9}\r\n\r\n${good}`),
    outcome: unusable,
  },
  {
    name: "the chunks are garbage",
    answer: raw((good) => `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n${good}`),
    outcome: unusable,
  },
  { name: "the answer is not HTTP", answer: raw(() => "220 mail ESMTP\r\n"), outcome: unusable },
  {
    name: "the server switches protocols",
    answer: raw(
      () => "HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n",
    ),
    outcome: unusable,
  },
  {
    name: "informational responses come first",
    answer: raw((good) => `HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n${whole(good)}`),
    outcome: outcomes(ok(1), ok(1)),
  },
  {
    name: "two responses come at once",
    answer: raw((good) => whole(good) + whole(good)),
    outcome: outcomes(ok(1), ok(1)),
  },
  {
    name: "the body is a gzip bomb",
    answer: body(() => gzipSync(Buffer.alloc(32 * 1024 * 1024, " ")), {
      "content-encoding": "gzip",
    }),
    outcome: unusable,
  },
  {
    name: "the gzip is broken",
    answer: body((good) => gzipSync(good).subarray(0, -9), { "content-encoding": "gzip" }),
    outcome: unusable,
  },
  {
    name: "the encoding is one not asked for",
    answer: body((good) => good, { "content-encoding": "br" }),
    outcome: unusable,
  },
  {
    name: "the text is not UTF-8",
    answer: body((good) =>
      Buffer.concat([Buffer.from(good.slice(0, -1)), Buffer.from(',"é":1}', "latin1")]),
    ),
    outcome: unusable,
  },
  {
    name: "the text begins with a BOM",
    answer: body((good) => `\ufeff${good}`),
    outcome: outcomes(ok(1), ok(1)),
  },
  { name: "the body is empty", answer: body(() => ""), outcome: unusable },
  {
    name: "the body is a web page",
    answer: body(() => "<html><body>Welcome</body></html>", { "content-type": "text/html" }),
    outcome: unusable,
  },
  { name: "the JSON is broken", answer: body((good) => good.slice(0, -1)), outcome: unusable },
  { name: "the JSON is null", answer: body(() => "null"), outcome: unusable },
  { name: "the JSON is a list", answer: body((good) => `[${good}]`), outcome: unusable },
  {
    name: "the JSON is huge",
    answer: body((good) => good.replace("{", `{"x":"${"x".repeat(11 * 1024 * 1024)}",`)),
    outcome: unusable,
  },
  {
    name: "the JSON is deep where nobody looks",
    answer: body((good) => good.replace("{", `{"x":${deep(5_000)},`)),
    outcome: outcomes(ok(1), ok(1)),
  },
  {
    name: "a value of unknown shape is deep",
    answer: change(({ projectEnvironments: [environment] = [] }: Answer) => {
      if (environment) environment.projectEnvironmentCode.initialized = JSON.parse(deep(500));
    }),
    outcome: { token: ok(1), list: ok(1), read: fails(1, "RESPONSE_INVALID") },
  },
  {
    name: "a value of unknown shape is a Pulumi asset",
    answer: change(({ projectEnvironments: [environment] = [] }: Answer) => {
      if (environment) environment.projectEnvironmentCode.initialized = { __pulumiAsset: true };
    }),
    outcome: { token: ok(1), list: ok(1), read: fails(1, "RESPONSE_INVALID") },
  },
  {
    name: "a key comes twice (the last one counts)",
    answer: body((good) => good.replace("{", '{"name":7,"access_token":7,"_embedded":7,')),
    outcome: outcomes(ok(1), ok(1)),
  },
  {
    name: "the JSON has a __proto__",
    answer: body((good) => good.replace("{", '{"__proto__":{"polluted":true},')),
    outcome: outcomes(ok(1), ok(1)),
  },
  {
    name: "an id or token is a number",
    answer: change((answer: Answer) => {
      if (answer.access_token !== undefined) answer.access_token = 7;
      else if (answer._embedded !== undefined) answer._embedded.projectResources[0]!.name = 7;
      else answer._id = 7;
    }),
    outcome: unusable,
  },
  {
    name: "a scalar has another type",
    answer: change((answer: Answer & { expires_in?: unknown; domain?: unknown }) => {
      if (answer.access_token !== undefined) answer.expires_in = "900";
      else if (answer._embedded !== undefined) answer._embedded.projectResources[0]!.domain = {};
      else answer.domain = {};
    }),
    outcome: unusable,
  },
  {
    name: "an environment's field has another type",
    answer: change(({ projectEnvironments: [environment] = [] }: Answer) => {
      if (environment) environment.order = "0";
    }),
    outcome: { token: ok(1), list: ok(1), read: fails(1, "RESPONSE_INVALID") },
  },
  {
    name: "a database's field has another type",
    answer: change(({ projectEnvironments: [environment] = [] }: Answer) => {
      const [database] = environment?.projectEnvironmentDatabases.databases ?? [];
      if (database) database.associationId = "5";
    }),
    outcome: { token: ok(1), list: ok(1), read: fails(1, "RESPONSE_INVALID") },
  },
  {
    name: "an integer is too large for JavaScript",
    answer: body((good) => good.replace(/"order":\d+/, '"order":9007199254740993')),
    outcome: { token: ok(1), list: ok(1), read: fails(1, "RESPONSE_INVALID") },
  },
  {
    name: "two environments have one id",
    answer: change(({ projectEnvironments: environments = [] }: Answer) => {
      for (const environment of environments) environment.environmentId = "live";
    }),
    outcome: { token: ok(1), list: ok(1), read: fails(1, "RESPONSE_INVALID") },
  },
  {
    name: "two entries of the list have one id and different names",
    answer: change(({ _embedded: embedded }: Answer) => {
      const [first] = embedded?.projectResources ?? [];
      if (first) embedded?.projectResources.push({ ...first, name: "other" });
    }),
    outcome: shortList,
  },
  {
    name: "a Link header names a next page",
    answer: body((good) => good, { link: '</projects?page=1>; rel="next"' }),
    outcome: shortList,
  },
  {
    name: "X-Total-Count is larger than the list",
    answer: body((good) => good, { "x-total-count": "2" }),
    outcome: shortList,
  },
  ...(
    [
      ["page.totalElements, as text, is larger than the list", { page: { totalElements: "2" } }],
      ["page.totalPages is beyond page.number", { page: { number: 0, totalPages: 2 } }],
      ["totalElements is larger than the list", { totalElements: 2 }],
      ["last is false", { last: false }],
      ["links names a next page", { links: [{ rel: "next", href: "/projects?page=1" }] }],
    ] as const
  ).map(([name, extra]) => ({
    name,
    answer: change((answer: Answer) => {
      if (answer._embedded !== undefined) Object.assign(answer, extra);
    }),
    outcome: shortList,
  })),
  {
    name: "a next link has a user name",
    answer: ({ response, good, request }) =>
      response.end(
        good.replace(
          '"_embedded"',
          `"_links":{"next":{"href":"http://user@${request.headers.host}/projects?page=1"}},"_embedded"`,
        ),
      ),
    outcome: { token: ok(1), list: fails(1, "LIST_INCOMPLETE"), read: ok(1) },
  },
  { name: "204", answer: status(204, {}, ""), outcome: unusable },
  {
    name: "301 to the same server",
    answer: status(301, { location: "/elsewhere" }),
    outcome: unusable,
  },
  {
    name: "302 to another server",
    answer: status(302, { location: "http://elsewhere.invalid/" }),
    outcome: unusable,
  },
  {
    name: "401 once",
    answer: once(status(401, { "www-authenticate": "Bearer" })),
    outcome: outcomes(fails(1, "LOGIN_RESPONSE_INVALID"), ok(2)),
  },
  {
    name: "401 always",
    answer: status(401, { "www-authenticate": "Bearer" }),
    outcome: outcomes(fails(1, "LOGIN_RESPONSE_INVALID"), fails(2, "TOKEN_REFUSED")),
  },
  {
    name: "401 with an OAuth error",
    answer: status(
      401,
      {},
      '{"error":"invalid_grant","error_description":"Invalid user credentials"}',
    ),
    outcome: outcomes(fails(1, "LOGIN_REJECTED"), fails(2, "TOKEN_REFUSED")),
  },
  {
    name: "403",
    answer: status(403),
    outcome: outcomes(fails(1, "LOGIN_RESPONSE_INVALID"), fails(1, "FORBIDDEN")),
  },
  {
    name: "404",
    answer: status(404),
    outcome: outcomes(fails(1, "LOGIN_RESPONSE_INVALID"), fails(1, "NOT_FOUND")),
  },
  {
    name: "407",
    answer: status(407),
    outcome: outcomes(fails(1, "LOGIN_RESPONSE_INVALID"), fails(1, "RESPONSE_INVALID")),
  },
  {
    name: "408",
    answer: status(408),
    outcome: outcomes(fails(1, "LOGIN_UNAVAILABLE"), fails(3, "TIMEOUT")),
  },
  {
    name: "429",
    answer: status(429),
    outcome: outcomes(fails(3, "LOGIN_UNAVAILABLE"), fails(3, "RATE_LIMITED")),
  },
  {
    name: "429 once, with Retry-After in seconds",
    answer: once(status(429, { "retry-after": "0" })),
    outcome: outcomes(ok(2), ok(2)),
  },
  {
    name: "429 once, with Retry-After as a date",
    answer: once(status(429, { "retry-after": new Date(Date.now() - 1_000).toUTCString() })),
    outcome: outcomes(ok(2), ok(2)),
  },
  {
    name: "429 with a Retry-After of two minutes",
    answer: status(429, { "retry-after": "120" }),
    outcome: outcomes(fails(1, "LOGIN_UNAVAILABLE"), fails(1, "RATE_LIMITED")),
  },
  {
    name: "500",
    answer: status(500),
    outcome: outcomes(fails(1, "LOGIN_UNAVAILABLE"), fails(3, "SERVICE_UNAVAILABLE")),
  },
  {
    name: "501",
    answer: status(501),
    outcome: outcomes(fails(1, "LOGIN_UNAVAILABLE"), fails(1, "SERVICE_UNAVAILABLE")),
  },
  { name: "503 once", answer: once(status(503)), outcome: outcomes(ok(2), ok(2)) },
  {
    name: "503 always",
    answer: status(503),
    outcome: outcomes(fails(3, "LOGIN_UNAVAILABLE"), fails(3, "SERVICE_UNAVAILABLE")),
  },
];
