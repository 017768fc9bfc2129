/* Faults in the body of a response. */
import { gzipSync } from "node:zlib";
import { type Fault, faultsOf } from "./fault.js";
import { body, change, changeEnvironment } from "./responses.js";

const gzip = { "content-encoding": "gzip" };

const webPage = "<html><body>Welcome</body></html>";
const notUtf8 = (correct: string) =>
  Buffer.concat([Buffer.from(correct.slice(0, -1)), Buffer.from(',"é":1}', "latin1")]);

const wrongTypeOfId = change((response) => {
  if (response.access_token !== undefined) response.access_token = 7;
  else if (response._embedded !== undefined) response._embedded.projectResources[0]!.name = 7;
  else response._id = 7;
});

const wrongTypeOfOptionalField = change((response) => {
  if (response.access_token !== undefined) response.expires_in = "900 s";
  else if (response._embedded !== undefined) response._embedded.projectResources[0]!.domain = {};
  else response.domain = {};
});

/** Adds a member at the start of the JSON. */
const withMember = (member: string) => body((correct) => correct.replace("{", `{${member},`));

export const bodyFaults: readonly Fault[] = faultsOf({
  "the gzip data is incomplete": body((correct) => gzipSync(correct).subarray(0, -20), gzip),
  "the text is not UTF-8": body(notUtf8),
  "the body is empty": body(""),
  "the body is a web page": body(webPage, { "content-type": "text/html" }),
  "the JSON is incomplete": body((correct) => correct.slice(0, -1)),
  "the JSON is null": body("null"),
  "the JSON is a list": body((correct) => `[${correct}]`),
  "an id, a name or a token is a number": wrongTypeOfId,
  "an optional field has another type": wrongTypeOfOptionalField,
  "the body is compressed": body(gzipSync, gzip),
  "the text starts with a byte order mark": body((correct) => `\ufeff${correct}`),
  "keys occur twice (the last one counts)": withMember('"name":7,"access_token":7,"_embedded":7'),
  "the JSON has a key `__proto__`": withMember('"__proto__":{"polluted":true}'),
  "a field of an environment has another type": changeEnvironment(
    (environment) => (environment.order = "0"),
  ),
});
