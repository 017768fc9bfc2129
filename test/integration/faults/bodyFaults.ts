/* Faults in the body of a response. */
import { gzipSync } from "node:zlib";
import { type FaultRow, invalidResponse } from "./fault.js";
import { body, change, changeEnvironment, type WireResponse } from "./responses.js";

const deep = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

/** Only the single read has the field. */
const invalidProject = ["1", "1", "1: RESPONSE_INVALID"] as const;

export const bodyFaults: readonly FaultRow[] = [
  [
    "the body is a gzip bomb",
    invalidResponse,
    body(() => gzipSync(Buffer.alloc(32 * 1024 * 1024, " ")), {
      "content-encoding": "gzip",
    }),
  ],
  [
    "the gzip data is incomplete",
    invalidResponse,
    body((correct) => gzipSync(correct).subarray(0, -9), { "content-encoding": "gzip" }),
  ],
  [
    "the response has a content-encoding that was not requested",
    invalidResponse,
    body((correct) => correct, { "content-encoding": "br" }),
  ],
  [
    "the text is not UTF-8",
    invalidResponse,
    body((correct) =>
      Buffer.concat([Buffer.from(correct.slice(0, -1)), Buffer.from(',"é":1}', "latin1")]),
    ),
  ],
  ["the text starts with a byte order mark", ["1", "1"], body((correct) => `\ufeff${correct}`)],
  ["the body is empty", invalidResponse, body("")],
  [
    "the body is a web page",
    invalidResponse,
    body("<html><body>Welcome</body></html>", { "content-type": "text/html" }),
  ],
  ["the JSON is incomplete", invalidResponse, body((correct) => correct.slice(0, -1))],
  ["the JSON is null", invalidResponse, body("null")],
  ["the JSON is a list", invalidResponse, body((correct) => `[${correct}]`)],
  [
    "the JSON has 11 MB",
    invalidResponse,
    body((correct) => correct.replace("{", `{"x":"${"x".repeat(11 * 1024 * 1024)}",`)),
  ],
  [
    "an undocumented field is nested 5,000 levels deep",
    ["1", "1"],
    body((correct) => correct.replace("{", `{"x":${deep(5_000)},`)),
  ],
  [
    "a field of unknown shape is nested 500 levels deep",
    invalidProject,
    changeEnvironment((environment) => {
      environment.projectEnvironmentCode.initialized = JSON.parse(deep(500));
    }),
  ],
  [
    "a field of unknown shape looks like a Pulumi asset",
    invalidProject,
    changeEnvironment((environment) => {
      environment.projectEnvironmentCode.initialized = { __pulumiAsset: true };
    }),
  ],
  [
    "keys occur twice (the last one counts)",
    ["1", "1"],
    body((correct) => correct.replace("{", '{"name":7,"access_token":7,"_embedded":7,')),
  ],
  [
    "the JSON has a key `__proto__`",
    ["1", "1"],
    body((correct) => correct.replace("{", '{"__proto__":{"polluted":true},')),
  ],
  [
    "an id, a name or a token is a number",
    invalidResponse,
    change((response: WireResponse) => {
      if (response.access_token !== undefined) response.access_token = 7;
      else if (response._embedded !== undefined) response._embedded.projectResources[0]!.name = 7;
      else response._id = 7;
    }),
  ],
  [
    "an optional field has another type",
    invalidResponse,
    change((response: WireResponse & { expires_in?: unknown; domain?: unknown }) => {
      if (response.access_token !== undefined) response.expires_in = "900";
      else if (response._embedded !== undefined)
        response._embedded.projectResources[0]!.domain = {};
      else response.domain = {};
    }),
  ],
  [
    "a field of an environment has another type",
    invalidProject,
    changeEnvironment((environment) => {
      environment.order = "0";
    }),
  ],
  [
    "a field of a database has another type",
    invalidProject,
    changeEnvironment((environment) => {
      environment.projectEnvironmentDatabases.databases[0]!.associationId = "5";
    }),
  ],
  [
    "an integer is too large for JavaScript",
    invalidProject,
    body((correct) => correct.replace(/"order":\d+/, '"order":9007199254740993')),
  ],
  [
    "two environments have the same id",
    invalidProject,
    change(({ projectEnvironments: environments = [] }: WireResponse) => {
      for (const environment of environments) environment.environmentId = "live";
    }),
  ],
];
