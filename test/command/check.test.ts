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
    const { baseUrl } = command.sandbox.connection;
    const variable = "from the environment variable PROJECT_SERVICE";
    for (const line of [
      `baseUrl         ${baseUrl}, ${variable}_BASE_URL`,
      `authUrl         ${baseUrl}, ${variable}_AUTH_URL`,
      `realm           hosting, ${variable}_REALM`,
      `timeoutSeconds  20, ${variable}_TIMEOUT_SECONDS`,
      `username        ${variable}_USERNAME`,
      `password        ${variable}_PASSWORD`,
      `headers         ${variable}_HEADERS`,
    ]) {
      assert.ok(stdout.includes(`  ${line}\n`), `${line}\n${stdout}`);
    }
    assert.match(stdout, /ok +Sign in +\d+ ms$/m);
    assert.match(stdout, /ok +List projects +\d+ ms +12 projects/);
    assert.match(stdout, /ok +Read one project +\d+ ms +p-1 \(shop\), 3 environments/);
    assert.equal(command.sandbox.counters.projectReads, 1);
  });

  it("prints the host and the port of a proxy, without its user and password", async () => {
    const { stdout } = await check({
      PROJECT_SERVICE_BASE_URL: "https://projects.invalid",
      PROJECT_SERVICE_AUTH_URL: "https://login.invalid",
      HTTPS_PROXY: "http://jane:c4nary-gateway-k3y@127.0.0.1:1",
    });
    assert.match(stdout, /^ {2}proxy {11}127\.0\.0\.1:1\n\nSteps$/m);
    assert.doesNotMatch(stdout, /jane/);
  });

  it("prints no value that the stack config encrypts, and names the option of a wrong stack or namespace", async () => {
    const folder = command.pathOf("encrypted");
    await mkdir(folder);
    await writeFile(join(folder, "Pulumi.yaml"), "name: encrypted\nruntime: nodejs\n");
    const { baseUrl, authUrl } = command.sandbox.connection;
    const config = {
      "project-service:baseUrl": { value: baseUrl, secret: true },
      "project-service:authUrl": { value: authUrl },
    };
    const encryptedRealm = {
      ...config,
      "project-service:realm": { value: "hosting", secret: true },
    };
    const nowhere = {
      ...config,
      "project-service:baseUrl": { value: "https://c4nary.invalid", secret: true },
    };
    const script = `#!/bin/sh
case "$*" in
  config*gone*) echo "error: no stack named 'gone' found" >&2; exit 1 ;;
  config*nowhere*) echo '${JSON.stringify(nowhere)}' ;;
  config*other*) echo '${JSON.stringify(encryptedRealm)}' ;;
  config*) echo '${JSON.stringify(config)}' ;;
esac
`;
    await writeFile(join(folder, "pulumi"), script, { mode: 0o755 });
    const PATH = `${folder}:${process.env["PATH"]}`;
    const checkStack = (stack: string, variables = {}, ...args: string[]) =>
      command.run(["check", "--cwd", folder, "--stack", stack, ...args], { PATH, ...variables });
    const { code, stdout } = await checkStack("dev");
    assert.equal(code, 0, stdout);
    assert.match(stdout, /^ {2}baseUrl {9}from project-service:baseUrl in the stack config$/m);
    assert.match(
      stdout,
      /^ {2}authUrl {9}http:\S+, from project-service:authUrl in the stack conf/m,
    );
    const rejected = await checkStack("other", { PROJECT_SERVICE_PASSWORD: "wrong" });
    assert.match(rejected.stdout, /LOGIN_REJECTED/);
    assert.doesNotMatch(rejected.stdout, /hosting|http:/);

    const unreachable = await checkStack("nowhere", {
      PROJECT_SERVICE_BASE_URL: "https://c4nary.invalid",
    });
    assert.match(unreachable.stdout, /UNREACHABLE\]: .* no response from the server/);
    assert.doesNotMatch(unreachable.stdout, /c4nary/);

    const gone = await checkStack("gone");
    assert.match(gone.stdout, /"no stack named 'gone' found"\. Check --stack and --cwd\./);
    const second = await checkStack("dev", {}, "--connection", "second");
    assert.match(second.stdout, /no settings in the namespace second\. Check --connection\.$/m);
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
    const folder = command.pathOf("hosting");
    await mkdir(folder);
    await writeFile(join(folder, "ca.pem"), rootCertificates[0] as string);
    const variables = { PROJECT_SERVICE_CA_CERTIFICATE: "ca.pem" };
    assert.equal((await command.run(["check", "--cwd", "hosting"], variables)).code, 0);
    assert.equal((await command.run(["check"], variables)).code, 1);
  });

  it("names --cwd alone for another namespace, because no variable applies to it", async () => {
    const { stdout } = await command.run(["check", "--connection", "second"]);
    assert.match(stdout, /^Settings\n {2}none found$/m);
    assert.match(stdout, /- password is missing\. There is no Pulumi project .* with --cwd$/m);
  });
});
