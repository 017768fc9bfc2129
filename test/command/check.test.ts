import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { assertHoldsNone, secretsOf } from "../support/leakSearch.js";
import { useCommandProcess } from "./commandProcess.js";

describe("pulumi-project-service check", () => {
  const command = useCommandProcess();
  const headers = JSON.stringify({ "x-gateway-key": "c4nary-gateway-k3y" });

  /** Runs the command, and checks that its output contains no secret. */
  async function check(changes: Record<string, string | undefined> = {}) {
    const result = await command.run(["check"], { PROJECT_SERVICE_HEADERS: headers, ...changes });
    const secrets = ["c4nary-gateway-k3y", ...secretsOf(command.sandbox)];
    assertHoldsNone("the output", result.stdout + result.stderr, secrets);
    return result;
  }

  it("exits with 0, and prints where it found each setting and how long each step took", async () => {
    const { code, stdout, stderr } = await check({ PROJECT_SERVICE_TIMEOUT_SECONDS: "20" });
    assert.deepEqual([code, stderr], [0, ""]);
    assert.match(stdout, /^pulumi-project-service \d+\.\d+\.\d+, Node \d+\.\d+\.\d+, \w+$/m);
    assert.match(
      stdout,
      /username +reader, from the environment variable PROJECT_SERVICE_USERNAME/,
    );
    assert.match(
      stdout,
      /password +\(secret\), from the environment variable PROJECT_SERVICE_PASS/,
    );
    assert.match(stdout, /headers +\(secret\), from/);
    assert.match(stdout, /timeoutSeconds +20, from/);
    assert.match(stdout, /ok +Sign in +\d+ ms +at http.*\/realms\/hosting\/protocol/);
    assert.match(stdout, /ok +List projects +\d+ ms +12 projects/);
    assert.match(stdout, /ok +Read one project +\d+ ms +p-1 \(shop\), 3 environments/);
    assert.equal(command.sandbox.counters.projectReads, 1);
  });

  it("exits with 1 and the message of the functions if the sign-in is rejected", async () => {
    const { code, stdout } = await check({ PROJECT_SERVICE_PASSWORD: "wrong" });
    assert.equal(code, 1);
    assert.match(stdout, /failed +Sign in +\d+ ms$/m);
    assert.match(stdout, /^ProjectServiceError \[LOGIN_REJECTED\]: .*Check username and password/m);
    assert.doesNotMatch(stdout, /List projects/);
  });

  it("exits with 1 if a project cannot be read", async () => {
    command.sandbox.forbiddenProjectIds.add("p-1");
    const { code, stdout } = await check();
    assert.equal(code, 1);
    assert.match(stdout, /ok +List projects[^]*failed +Read one project[^]*\[FORBIDDEN\]/);
  });

  it("exits with 1 if there is no project to read", async () => {
    command.sandbox.projects = [];
    const { code, stdout } = await check();
    assert.equal(code, 1);
    assert.match(stdout, /\[NOT_FOUND\].*access to no project/);
  });

  it("exits with 1 and names all missing settings", async () => {
    const { code, stdout } = await check({
      PROJECT_SERVICE_REALM: "",
      PROJECT_SERVICE_PASSWORD: "",
    });
    assert.equal(code, 1);
    assert.match(stdout, /\[SETTINGS_INVALID\][^]*realm is missing[^]*password is missing/);
    assert.equal(command.sandbox.counters.passwordGrants, 0);
  });

  it("prints where it found the other settings if one is missing or wrong, without their values", async () => {
    const { code, stdout } = await check({
      PROJECT_SERVICE_BASE_URL: "https://reader:c4nary-gateway-k3y@projects.example.com",
      PROJECT_SERVICE_PASSWORD: "",
    });
    assert.equal(code, 1);
    assert.match(stdout, /^ {2}baseUrl +from the environment variable PROJECT_SERVICE_BASE_URL$/m);
    assert.match(stdout, /^ {2}username +from the environment variable PROJECT_SERVICE_USERNAME$/m);
    assert.doesNotMatch(stdout, /^ {2}password /m);
  });

  it("looks for a relative caCertificate in the folder of --cwd", async () => {
    const folder = join(command.directory, "hosting");
    await mkdir(folder);
    await writeFile(join(folder, "ca.pem"), rootCertificates[0] as string);
    const { stdout } = await command.run(["check", "--cwd", "hosting"], {
      PROJECT_SERVICE_CA_CERTIFICATE: "ca.pem",
    });
    assert.match(stdout, /caCertificate +1 certificate, from/);
  });

  it("names what works in a folder without a Pulumi project: --cwd or an environment variable", async () => {
    const { stdout } = await check({ PROJECT_SERVICE_PASSWORD: "" });
    assert.match(
      stdout,
      /- password is missing\. There is no Pulumi project in this folder\. Use one with --cwd \(or the environment variable PROJECT_SERVICE_PASSWORD\)$/m,
    );
    assert.doesNotMatch(stdout, /pulumi config set|connection object/);
  });

  it("names --cwd alone for another namespace, because no variable applies to it", async () => {
    const { stdout } = await command.run(["check", "--connection", "second"]);
    assert.match(stdout, /^Settings\n {2}none found$/m);
    assert.match(stdout, /- password is missing\. There is no Pulumi project .* with --cwd$/m);
  });
});
