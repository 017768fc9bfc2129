import assert from "node:assert/strict";
import { type Sandbox, sandboxProject, startSandbox } from "../../sandbox/index.js";

/** Has characters with a meaning in URLs, forms and JSON, also in Go's. The last one has several bytes. */
const password = 'p@ss "w/0rd+&%~~~~\\ü';
const utf8 = Buffer.from(password);

describe("leaksIn of a sandbox", () => {
  let sandbox: Sandbox;
  before(async () => {
    const given = [
      { name: "orders", username: "orders_rw", password },
      { name: "stock", username: "shop", password: "c4nary-stock" },
    ];
    const shop = sandboxProject({
      name: "shop",
      codeRepository: {
        importRepository: { url: "https://git:t0k3n@example.net", branch: "main" },
      },
      projectEnvironments: [{ projectEnvironmentDatabases: { databases: given } }],
    });
    const options = { projects: [shop], password: "c4nary-reader", clientSecret: "c4nary-client" };
    sandbox = await startSandbox(options);
  });
  after(() => sandbox.close());

  const databases =
    "projects[p-shop].projectEnvironments[live].projectEnvironmentDatabases.databases";
  const goJson = JSON.stringify(password).slice(1, -1).replace("&", "\\u0026");

  const texts: Record<string, [form: string, text: string | Uint8Array]> = {
    "as it is": ["plain", `a${password}b`],
    "as bytes beside others": ["plain", Buffer.concat([Buffer.of(0, 255), utf8, Buffer.of(255)])],
    "in JSON": ["json", JSON.stringify({ password })],
    "in JSON with more escapes than needed": ["json", goJson.replace("ü", "\\u00fc")],
    "in JSON in JSON": ["json in json", JSON.stringify({ text: JSON.stringify({ password }) })],
    "in a part of a URL": ["url", `mysql://root:${encodeURIComponent(password)}@localhost`],
    "in a URL with lower case": ["url", encodeURIComponent(password).replace("%2F", "%2f")],
    "in a form": ["url", String(new URLSearchParams({ password }))],
    "as the user of a URL": [
      "url",
      Object.assign(new URL("http://a"), { username: password }).href,
    ],
    "in hex": ["hex", `password=${utf8.toString("hex")}`],
    "in hex with upper case": ["hex", utf8.toString("hex").toUpperCase()],
  };
  for (const before of ["", "x", "xx"]) {
    const bytes = Buffer.from(`${before}${password}x`);
    texts[`in Base64 after ${before.length} bytes`] = ["base64", bytes.toString("base64")];
    texts[`in Base64url after ${before.length} bytes`] = ["base64", bytes.toString("base64url")];
  }
  for (const [title, [form, text]] of Object.entries(texts)) {
    it(`finds a password ${title}`, () => {
      const leak = { credential: `${databases}[orders].password`, form };
      assert.deepEqual(sandbox.leaksIn(text), [leak]);
    });
  }

  it("names each credential once, and is not misled by short user names and words", () => {
    const { projects, connection } = sandbox;
    const all = JSON.stringify({ projects, connection }).repeat(2);
    assert.deepEqual(
      sandbox
        .leaksIn(all)
        .map(({ credential }) => credential)
        .sort(),
      [
        "connection.clientSecret",
        "connection.password",
        "projects[p-shop].codeRepository.importRepository.url",
        `${databases}[orders].password`,
        `${databases}[orders].username`,
        `${databases}[stock].password`,
      ],
    );
  });

  it("finds a token that was sent", async () => {
    const { authUrl, realm, clientId, username } = sandbox.connection;
    const form = { client_id: clientId, client_secret: "c4nary-client", username };
    const response = await fetch(`${authUrl}/auth/realms/${realm}/protocol/openid-connect/token`, {
      method: "POST",
      body: new URLSearchParams({ ...form, grant_type: "password", password: "c4nary-reader" }),
    });
    const leaks = sandbox.leaksIn(await response.text());
    const found = leaks.map(({ credential }) => credential);
    assert.deepEqual(found, ["tokens[0]", "tokens[1]"]);
  });

  it("finds nothing that is only similar", () => {
    for (const near of [
      password.slice(1),
      password.slice(0, -1),
      password.toUpperCase(),
      password.replace("+", " "),
      "C4NARY-READER",
      Buffer.from("c4nary-readez").toString("base64"),
    ]) {
      assert.deepEqual(sandbox.leaksIn(near), [], near);
    }
  });
});
