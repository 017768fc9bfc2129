/* Faults in the body of a response. */
import { gzipSync } from "node:zlib";
import { type Fault, faults, invalidResponse } from "./fault.js";
import { body, change, changeEnvironment, type WireResponse } from "./responses.js";

const deep = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

/** Only the single read has the field. */
const invalidProject = ["1", "1", "1: RESPONSE_INVALID"] as const;

export const bodyFaults: readonly Fault[] = [
  ...faults(invalidResponse, {
    "the body is a gzip bomb": body(() => gzipSync(Buffer.alloc(32 * 1024 * 1024, " ")), {
      "content-encoding": "gzip",
    }),
    "the gzip data is incomplete": body((correct) => gzipSync(correct).subarray(0, -20), {
      "content-encoding": "gzip",
    }),
    "the body is not in its content-encoding": body((correct) => correct, {
      "content-encoding": "br",
    }),
    "the text is not UTF-8": body((correct) =>
      Buffer.concat([Buffer.from(correct.slice(0, -1)), Buffer.from(',"é":1}', "latin1")]),
    ),
    "the body is empty": body(""),
    "the body is a web page": body("<html><body>Welcome</body></html>", {
      "content-type": "text/html",
    }),
    "the JSON is incomplete": body((correct) => correct.slice(0, -1)),
    "the JSON is null": body("null"),
    "the JSON is a list": body((correct) => `[${correct}]`),
    "the JSON is 11 MB large": body((correct) =>
      correct.replace("{", `{"x":"${"x".repeat(11 * 1024 * 1024)}",`),
    ),
    "an id, a name or a token is a number": change((response: WireResponse) => {
      if (response.access_token !== undefined) response.access_token = 7;
      else if (response._embedded !== undefined) response._embedded.projectResources[0]!.name = 7;
      else response._id = 7;
    }),
    "an optional field has another type": change(
      (response: WireResponse & { expires_in?: unknown; domain?: unknown }) => {
        if (response.access_token !== undefined) response.expires_in = "900 s";
        else if (response._embedded !== undefined)
          response._embedded.projectResources[0]!.domain = {};
        else response.domain = {};
      },
    ),
  }),
  ...faults(["1", "1"], {
    "the body is compressed": body(gzipSync, { "content-encoding": "gzip" }),
    "the text starts with a byte order mark": body((correct) => `\ufeff${correct}`),
    "an unknown field is nested 5,000 levels deep": body((correct) =>
      correct.replace("{", `{"x":${deep(5_000)},`),
    ),
    "keys occur twice (the last one counts)": body((correct) =>
      correct.replace("{", '{"name":7,"access_token":7,"_embedded":7,'),
    ),
    "the JSON has a key `__proto__`": body((correct) =>
      correct.replace("{", '{"__proto__":{"polluted":true},'),
    ),
  }),
  ...faults(invalidProject, {
    "a known field without a documented shape is nested 500 levels deep": changeEnvironment(
      (environment) => {
        environment.projectEnvironmentCode.initialized = JSON.parse(deep(500));
      },
    ),
    "a known field without a documented shape looks like a Pulumi asset": changeEnvironment(
      (environment) => {
        environment.projectEnvironmentCode.initialized = { __pulumiAsset: true };
      },
    ),
    "a field of an environment has another type": changeEnvironment((environment) => {
      environment.order = "0";
    }),
    "a field of a database has another type": changeEnvironment((environment) => {
      environment.projectEnvironmentDatabases.databases[0]!.associationId = "5";
    }),
    "an integer is too large for JavaScript": body((correct) =>
      correct.replace(/"order":\d+/, '"order":9007199254740993'),
    ),
    "two environments have the same id": change(
      ({ projectEnvironments: environments = [] }: WireResponse) => {
        for (const environment of environments) environment.environmentId = "live";
      },
    ),
  }),
];
