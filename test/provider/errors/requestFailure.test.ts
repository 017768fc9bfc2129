import assert from "node:assert/strict";
import {
  type RequestContext,
  requestFailure,
  toProjectServiceError,
} from "../../../provider/errors/requestFailure.js";

const reading: RequestContext = {
  operation: "Reading project",
  url: "https://api.example.com/projects/p-1?token=c4nary",
  urlSetting: "baseUrl",
  projectId: "p-1",
};

// No server can cause these. test/integration has the messages of all other errors.
describe("an error that is a bug of this package", () => {
  for (const [what, error, cause] of [
    ["its name", new RangeError("c4nary", { cause: "c4nary" }), "RangeError"],
    ["the type of a thrown value", "c4nary", "string"],
  ] as const) {
    it(`asks for a report, and names ${what} and nothing of its message`, () => {
      const { code, message } = toProjectServiceError(error, reading);
      assert.equal(code, "RESPONSE_INVALID");
      assert.match(message, new RegExp(`^Reading project p-1 failed: .* error ${cause}\\. .*bug`));
      assert.doesNotMatch(message, /c4nary/);
    });
  }
});

it("the URL in an error keeps an IPv6 address, and shows its path as text of others", () => {
  const context = { ...reading, url: "http://[2001:db8::1]:8080/a::b##c/%23%23" };
  const { message, url } = toProjectServiceError(
    requestFailure("network", context, "ECONNREFUSED"),
    context,
  );
  assert.match(message, /: no response from \[2001:db8::1\]:8080 \(ECONNREFUSED\)\. /);
  assert.ok(message.endsWith(" (URL: http://[2001:db8::1]:8080/a:\\u003ab)"), message);
  assert.equal(url, "http://[2001:db8::1]:8080/a::b");
});
