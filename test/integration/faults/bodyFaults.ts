/* Faults in the body of a response. */
import { gzipSync } from "node:zlib";
import { accepted, type Exchange, type Fault, invalidResponse, type Outcomes } from "./fault.js";
import { body, change, changeEnvironment } from "./responses.js";

const deep = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

const gzip = { "content-encoding": "gzip" };

/** Only the single read has the field. */
const invalidProject: Outcomes = {
  signIn: "1: success",
  list: "1: success",
  read: "1: RESPONSE_INVALID",
};

/** Only the list is incomplete. */
const incompleteList: Outcomes = {
  signIn: "1: success",
  list: "1: LIST_INCOMPLETE",
  read: "1: success",
};

/** Adds a link to the next page, at the path of the list. */
function linkToNext(serverOf: (host: string) => string) {
  return ({ response, correct, request }: Exchange) => {
    const next = `${serverOf(request.headers.host ?? "")}${request.url}?page=1`;
    response.end(
      correct.replace('"_embedded"', `"_links":{"next":{"href":"${next}"}},"_embedded"`),
    );
  };
}

export const bodyFaults: readonly Fault[] = [
  {
    name: "the body is a gzip bomb",
    respond: body(() => gzipSync(Buffer.alloc(32 * 1024 * 1024, " ")), gzip),
    outcome: invalidResponse,
  },
  {
    name: "the gzip data is incomplete",
    respond: body((correct) => gzipSync(correct).subarray(0, -20), gzip),
    outcome: invalidResponse,
  },
  {
    name: "the body is not in its content-encoding",
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
  { name: "the body is empty", respond: body(""), outcome: invalidResponse },
  {
    name: "the body is a web page",
    respond: body("<html><body>Welcome</body></html>", { "content-type": "text/html" }),
    outcome: invalidResponse,
  },
  {
    name: "the JSON is incomplete",
    respond: body((correct) => correct.slice(0, -1)),
    outcome: invalidResponse,
  },
  { name: "the JSON is null", respond: body("null"), outcome: invalidResponse },
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
    name: "an id, a name or a token is a number",
    respond: change((response) => {
      if (response.access_token !== undefined) response.access_token = 7;
      else if (response._embedded !== undefined) response._embedded.projectResources[0]!.name = 7;
      else response._id = 7;
    }),
    outcome: invalidResponse,
  },
  {
    name: "an optional field has another type",
    respond: change((response) => {
      if (response.access_token !== undefined) response.expires_in = "900 s";
      else if (response._embedded !== undefined)
        response._embedded.projectResources[0]!.domain = {};
      else response.domain = {};
    }),
    outcome: invalidResponse,
  },
  { name: "the body is compressed", respond: body(gzipSync, gzip), outcome: accepted },
  {
    name: "the text starts with a byte order mark",
    respond: body((correct) => `\ufeff${correct}`),
    outcome: accepted,
  },
  {
    name: "an unknown field is nested 5,000 levels deep",
    respond: body((correct) => correct.replace("{", `{"x":${deep(5_000)},`)),
    outcome: accepted,
  },
  {
    name: "keys occur twice (the last one counts)",
    respond: body((correct) => correct.replace("{", '{"name":7,"access_token":7,"_embedded":7,')),
    outcome: accepted,
  },
  {
    name: "the JSON has a key `__proto__`",
    respond: body((correct) => correct.replace("{", '{"__proto__":{"polluted":true},')),
    outcome: accepted,
  },
  {
    name: "a known field without a documented shape is nested 500 levels deep",
    respond: changeEnvironment((environment) => {
      environment.projectEnvironmentCode.initialized = JSON.parse(deep(500));
    }),
    outcome: invalidProject,
  },
  {
    name: "a field of an environment has another type",
    respond: changeEnvironment((environment) => {
      environment.order = "0";
    }),
    outcome: invalidProject,
  },
  {
    name: "the list has a project twice, with different names",
    respond: change(({ _embedded: embedded }) => {
      const [first] = embedded?.projectResources ?? [];
      if (first) embedded?.projectResources.push({ ...first, name: "other" });
    }),
    outcome: incompleteList,
  },
  {
    name: "a Link header names a next page",
    respond: body((correct) => correct, { link: '</projects?page=1>; rel="next"' }),
    outcome: incompleteList,
  },
  {
    name: "totalElements is larger than the list",
    respond: change((response) => {
      if (response._embedded !== undefined) response.totalElements = 2;
    }),
    outcome: incompleteList,
  },
  {
    name: "the link to the next page has a user name",
    respond: linkToNext((host) => `http://user@${host}`),
    outcome: incompleteList,
  },
  {
    name: "the link to the next page leads to another host",
    respond: linkToNext((host) => host.replace("127.0.0.1", "http://localhost")),
    outcome: incompleteList,
  },
];
