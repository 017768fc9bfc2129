import assert from "node:assert/strict";
import { failureOf } from "../../support/failure.js";
import { connectionTo } from "../../support/scriptedServer.js";
import { settingsOf } from "../../support/settings.js";

const complete = connectionTo("https://api.example.com", {
  ...{ authUrl: "https://login.example.com", realm: "hosting" },
});

describe("settings", () => {
  it("resolve to addresses, defaults and a frozen object", () => {
    const settings = settingsOf(complete);
    assert.equal(settings.apiUrl, "https://api.example.com/api/project/v5");
    assert.equal(
      settings.tokenUrl,
      "https://login.example.com/auth/realms/hosting/protocol/openid-connect/token",
    );
    assert.equal(settings.timeoutSeconds, 15);
    assert.equal(settings.maxConcurrency, 16);
    const { headers, caCertificates } = settings;
    for (const value of [settings, headers, caCertificates]) {
      assert.ok(Object.isFrozen(value));
    }
  });

  it("depend on the variables for proxies", () => {
    const before = settingsOf(complete);
    process.env["HTTPS_PROXY"] = "http://proxy.example.com:3128";
    try {
      assert.equal(settingsOf(complete).apiProxy, "http://proxy.example.com:3128");
      process.env["https_proxy"] = "socks5://proxy.example.com:1080";
      assert.throws(
        () => settingsOf(complete),
        /wrong:\n {2}- https_proxy must be an http or https address /,
      );
    } finally {
      delete process.env["HTTPS_PROXY"];
      delete process.env["https_proxy"];
    }
    assert.equal(settingsOf(complete).apiProxy, before.apiProxy);
  });

  for (const [baseUrl, expected] of [
    ["https://h.example/", "https://h.example"],
    ["https://h.example:8443/gateway/", "https://h.example:8443/gateway"],
    ["http://127.0.0.1:8080", "http://127.0.0.1:8080"],
    ["http://localhost:8080/x//", "http://localhost:8080/x"],
    ["http://[::1]:8080", "http://[::1]:8080"],
    ["https://h.example/x/api/project/v5/", "https://h.example/x"],
  ] as const) {
    it(`accept ${baseUrl} as baseUrl`, () => {
      const { apiUrl } = settingsOf({ ...complete, baseUrl });
      assert.equal(apiUrl, `${expected}/api/project/v5`);
    });
  }

  it("encode the realm in the address", () => {
    assert.match(settingsOf({ ...complete, realm: "a/b c" }).tokenUrl, /realms\/a%2Fb%20c\//);
  });

  it("take the address of a realm as authUrl, with its realm or without one", async () => {
    const authUrl = "https://login.example.com/realms/hosting";
    for (const realm of [undefined, "hosting"]) {
      const { issuer, tokenUrl } = settingsOf({ ...complete, authUrl: `${authUrl}/`, realm });
      assert.equal(issuer, authUrl);
      assert.equal(tokenUrl, `${authUrl}/protocol/openid-connect/token`);
    }
    const encoded = { authUrl: "https://login.example.com/realms/a%20b", realm: "a b" };
    assert.equal(settingsOf({ ...complete, ...encoded }).issuer, encoded.authUrl);
    const { message } = await failureOf(
      () => settingsOf({ ...complete, authUrl, realm: "other" }),
      "SETTINGS_INVALID",
    );
    assert.match(message, /- connection\.realm is not the realm in authUrl\. /);
  });

  it("need a realm unless authUrl ends with one", async () => {
    for (const authUrl of ["https://login.example.com", "https://login.example.com/realms/"]) {
      const wrong = { ...complete, authUrl, realm: undefined };
      const { message } = await failureOf(() => settingsOf(wrong), "SETTINGS_INVALID");
      assert.match(message, /- connection\.realm is missing or undefined\./);
    }
  });

  it("accept the text of config for numbers, flags and headers", () => {
    const settings = settingsOf({
      ...complete,
      baseUrl: "http://far.example.com",
      insecureHttp: "true",
      timeoutSeconds: "2.5",
      maxConcurrency: "4",
      headers: '{"X-Gateway-Key":"k"}',
    });
    assert.equal(settings.apiUrl, "http://far.example.com/api/project/v5");
    assert.equal(settings.timeoutSeconds, 2.5);
    assert.equal(settings.maxConcurrency, 4);
    assert.deepEqual({ ...settings.headers }, { "x-gateway-key": "k" });
  });
});
