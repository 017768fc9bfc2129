import assert from "node:assert/strict";
import { sandboxProject, type SandboxOptions, startSandbox } from "../../sandbox/index.js";

const secret = "c4nary";
const shop = sandboxProject({ name: "shop" });

describe("startSandbox", () => {
  it("accepts the limits of its options, and undefined for a default", async () => {
    const texts = { realm: "r", clientId: "c", clientSecret: "s", username: "u", password: "p" };
    for (const options of [
      undefined,
      {},
      { ...texts, port: 0, tokenLifetimeSeconds: 0, refreshTokenLifetimeSeconds: 0.5, pageSize: 1 },
      { port: undefined, password: undefined, projects: undefined, acceptsToken: undefined },
      { projects: [] },
    ] as SandboxOptions[]) {
      const sandbox = await startSandbox(options);
      await sandbox.close();
    }
  });

  const needsObject = "startSandbox needs an object, such as startSandbox({ pageSize: 5 }).";
  const port = "port of startSandbox must be a whole number from 0 to 65535, not";
  const pageSize = "pageSize of startSandbox must be a whole number from 1, not";
  for (const [options, message] of [
    ...[null, 4000, secret, [shop]].map((wrong) => [wrong, needsObject]),
    [
      { pagesize: 5, password: secret },
      "startSandbox has no option pagesize. Its options are port, realm, clientId, clientSecret, username, password, tokenLifetimeSeconds, refreshTokenLifetimeSeconds, projects, pageSize, acceptsToken.",
    ],
    ...[-1, 1.5, 65_536, NaN].map((wrong) => [{ port: wrong }, `${port} ${wrong}.`]),
    [{ port: secret }, `${port} a value of type string.`],
    [{ port: null }, `${port} a value of type object.`],
    ...[0, -1, 1.5, Infinity].map((wrong) => [{ pageSize: wrong }, `${pageSize} ${wrong}.`]),
    [{ pageSize: "5" }, `${pageSize} a value of type string.`],
    ...["realm", "clientId", "clientSecret", "username", "password"].flatMap((key) =>
      ["", 12345, null, [secret]].map((wrong) => [
        { [key]: wrong },
        `${key} of startSandbox must be a string that is not empty.`,
      ]),
    ),
    ...["tokenLifetimeSeconds", "refreshTokenLifetimeSeconds"].flatMap((key) => [
      ...[-1, NaN, Infinity].map((wrong) => [
        { [key]: wrong },
        `${key} of startSandbox must be a number of seconds from 0, not ${wrong}.`,
      ]),
      [
        { [key]: "900" },
        `${key} of startSandbox must be a number of seconds from 0, not a value of type string.`,
      ],
    ]),
    [{ projects: shop }, "projects must be a list"],
    [{ projects: null }, "projects must be a list"],
    [{ projects: [shop, {}] }, "projects[1]._id is missing"],
    [{ projects: [shop, shop] }, "projects[1]._id must differ from projects[0]._id"],
    [
      { projects: [{ ...shop, projectEnvironments: [{ environmentId: 5 }] }] },
      "projects[0].projectEnvironments[0].environmentId must be a string",
    ],
    [
      { acceptsToken: secret },
      "acceptsToken of startSandbox must be a function that gets an access token and returns true or false.",
    ],
  ] as [SandboxOptions, string][]) {
    const given = JSON.stringify(options, (_key, value: unknown) =>
      value === shop ? "<shop>" : Number.isNaN(value) || value === Infinity ? String(value) : value,
    );
    it(`refuses ${given}, without a text of the options`, async () => {
      assert.ok(!message.includes(secret));
      await assert.rejects(startSandbox(options), { name: "TypeError", message });
    });
  }
});
