import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ProjectServiceError } from "../../provider/errors.js";
import { sampleProjects } from "../../sandbox/index.js";
import { getProject, getProjects } from "../../sdk/index.js";
import { credentialsIn, LeakSearch } from "../support/secrets.js";
import { faultTable } from "./faultTable.js";
import { faults, type Target } from "./faults.js";
import { type FaultyServer, startFaultyServer } from "./faultyServer.js";

const targets: readonly Target[] = ["token", "list", "read"];
const project = { ...sampleProjects()[0] };
const { _id, name, type, status, domain } = project;
const canaries = {
  accessToken: "c4nary-access-t0ken-Zm9vYmFy",
  refreshToken: "c4nary-refresh-t0ken-YmFyZm9v",
  password: `c4nary-p4ss "w&rd+%\\ä-QUJDREVG`,
  clientSecret: "c4nary-client-s3cret-Wk1PUFFS",
  header: "c4nary-gateway-k3y-S1RVVldY",
};
const answers: Record<Target, string> = {
  token: JSON.stringify({
    access_token: canaries.accessToken,
    refresh_token: canaries.refreshToken,
    expires_in: 900,
    refresh_expires_in: 900,
    token_type: "bearer",
  }),
  list: JSON.stringify({ _embedded: { projectResources: [{ _id, name, type, status, domain }] } }),
  read: JSON.stringify(project),
};

describe("the fault matrix", () => {
  let server: FaultyServer;
  const search = new LeakSearch([...Object.values(canaries), ...credentialsIn(sampleProjects())]);
  before(async function () {
    this.timeout(30_000);
    server = await startFaultyServer();
  });
  after(() => {
    server.close();
    console.log(
      `    ${faults.length} faults × ${targets.length} requests; errors searched in ${search.places} places, ${search.forms} forms of secrets`,
    );
  });

  for (const fault of faults) {
    for (const target of targets) {
      const { requests, code } = fault.outcome[target];
      const end = code === undefined ? "ends well" : `ends with ${code}`;
      it(`${target}: ${fault.name}: ${end}, after ${requests} requests`, async () => {
        server.use(target, fault, answers);
        const faulty = server.addressOf(fault);
        const connection = {
          baseUrl: target === "token" ? server.url : faulty,
          authUrl: target === "token" ? faulty : server.url,
          realm: "hosting",
          clientId: "pulumi",
          clientSecret: canaries.clientSecret,
          username: `${fault.name}, ${target}`,
          password: canaries.password,
          headers: { "x-gateway-key": canaries.header },
          timeoutSeconds: fault.stalls ? 0.5 : 30,
          caCertificate: server.caCertificate,
        };
        const outcome = await (
          target === "list"
            ? getProjects({}, { connection })
            : getProject({ projectId: "p-1" }, { connection })
        ).catch((error: unknown) => error);

        if (code === undefined) assert.ok(!(outcome instanceof Error), String(outcome));
        else {
          assert.ok(outcome instanceof ProjectServiceError, String(outcome));
          assert.equal(outcome.code, code, outcome.message);
          search.error(fault.name, outcome);
        }
        assert.equal(server.requests(), requests);
        assert.equal(({} as { polluted?: unknown }).polluted, undefined);
      }).timeout(60_000);
    }
  }

  it("is the one in docs/faults.md", () => {
    const documented = readFileSync(join(__dirname, "../../../docs/faults.md"), "utf8");
    assert.equal(documented, faultTable(), "run `npm run docs`");
  });
});
