/* Faults in the body of a response. */
import { gzipSync } from "node:zlib";
import { type Fault, fails, invalidResponse, ok, outcomes } from "./fault.js";
import { body, change, type WireResponse } from "./responses.js";

const deep = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

export const bodyFaults: readonly Fault[] = [
  {
    name: "the body is a gzip bomb",
    respond: body(() => gzipSync(Buffer.alloc(32 * 1024 * 1024, " ")), {
      "content-encoding": "gzip",
    }),
    outcome: invalidResponse,
  },
  {
    name: "the gzip data is incomplete",
    respond: body((correct) => gzipSync(correct).subarray(0, -9), { "content-encoding": "gzip" }),
    outcome: invalidResponse,
  },
  {
    name: "the response has a content-encoding that was not requested",
    respond: body((correct) => correct, { "content-encoding": "br" }),
    outcome: invalidResponse,
  },
  {
    name: "the text is not UTF-8",
    respond: body((correct) =>
      Buffer.concat([Buffer.from(correct.slice(0, -1)), Buffer.from(',"é":1}', "latin1")]),
    ),
    outcome: invalidResponse,
  },
  {
    name: "the text starts with a byte order mark",
    respond: body((correct) => `\ufeff${correct}`),
    outcome: outcomes(ok(1), ok(1)),
  },
  { name: "the body is empty", respond: body(() => ""), outcome: invalidResponse },
  {
    name: "the body is a web page",
    respond: body(() => "<html><body>Welcome</body></html>", { "content-type": "text/html" }),
    outcome: invalidResponse,
  },
  {
    name: "the JSON is incomplete",
    respond: body((correct) => correct.slice(0, -1)),
    outcome: invalidResponse,
  },
  { name: "the JSON is null", respond: body(() => "null"), outcome: invalidResponse },
  {
    name: "the JSON is a list",
    respond: body((correct) => `[${correct}]`),
    outcome: invalidResponse,
  },
  {
    name: "the JSON is 11 MB large",
    respond: body((correct) => correct.replace("{", `{"x":"${"x".repeat(11 * 1024 * 1024)}",`)),
    outcome: invalidResponse,
  },
  {
    name: "an unknown field is nested 5,000 levels deep",
    respond: body((correct) => correct.replace("{", `{"x":${deep(5_000)},`)),
    outcome: outcomes(ok(1), ok(1)),
  },
  {
    name: "a known field without a documented shape is nested 500 levels deep",
    respond: change(({ projectEnvironments: [environment] = [] }: WireResponse) => {
      if (environment) environment.projectEnvironmentCode.initialized = JSON.parse(deep(500));
    }),
    outcome: { token: ok(1), list: ok(1), read: fails(1, "RESPONSE_INVALID") },
  },
  {
    name: "a known field without a documented shape looks like a Pulumi asset",
    respond: change(({ projectEnvironments: [environment] = [] }: WireResponse) => {
      if (environment) environment.projectEnvironmentCode.initialized = { __pulumiAsset: true };
    }),
    outcome: { token: ok(1), list: ok(1), read: fails(1, "RESPONSE_INVALID") },
  },
  {
    name: "keys occur twice (the last one counts)",
    respond: body((correct) => correct.replace("{", '{"name":7,"access_token":7,"_embedded":7,')),
    outcome: outcomes(ok(1), ok(1)),
  },
  {
    name: "the JSON has a key `__proto__`",
    respond: body((correct) => correct.replace("{", '{"__proto__":{"polluted":true},')),
    outcome: outcomes(ok(1), ok(1)),
  },
  {
    name: "an id, a name or a token is a number",
    respond: change((response: WireResponse) => {
      if (response.access_token !== undefined) response.access_token = 7;
      else if (response._embedded !== undefined) response._embedded.projectResources[0]!.name = 7;
      else response._id = 7;
    }),
    outcome: invalidResponse,
  },
  {
    name: "an optional field has another type",
    respond: change((response: WireResponse & { expires_in?: unknown; domain?: unknown }) => {
      if (response.access_token !== undefined) response.expires_in = "900";
      else if (response._embedded !== undefined)
        response._embedded.projectResources[0]!.domain = {};
      else response.domain = {};
    }),
    outcome: invalidResponse,
  },
  {
    name: "a field of an environment has another type",
    respond: change(({ projectEnvironments: [environment] = [] }: WireResponse) => {
      if (environment) environment.order = "0";
    }),
    outcome: { token: ok(1), list: ok(1), read: fails(1, "RESPONSE_INVALID") },
  },
  {
    name: "a field of a database has another type",
    respond: change(({ projectEnvironments: [environment] = [] }: WireResponse) => {
      const [database] = environment?.projectEnvironmentDatabases.databases ?? [];
      if (database) database.associationId = "5";
    }),
    outcome: { token: ok(1), list: ok(1), read: fails(1, "RESPONSE_INVALID") },
  },
  {
    name: "an integer is too large for JavaScript",
    respond: body((correct) => correct.replace(/"order":\d+/, '"order":9007199254740993')),
    outcome: { token: ok(1), list: ok(1), read: fails(1, "RESPONSE_INVALID") },
  },
  {
    name: "two environments have the same id",
    respond: change(({ projectEnvironments: environments = [] }: WireResponse) => {
      for (const environment of environments) environment.environmentId = "live";
    }),
    outcome: { token: ok(1), list: ok(1), read: fails(1, "RESPONSE_INVALID") },
  },
];
