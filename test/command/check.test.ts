import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { delimiter } from "node:path";
import { rootCertificates } from "node:tls";
import { useFastClock } from "../support/clock.js";
import { assertHoldsNone, secretsOf } from "../support/leakSearch.js";
import { useCommandProcess } from "./commandProcess.js";

/** A setting in the config of a stack. */
type Setting = [key: string, value: string, secret: boolean];

describe("pulumi-project-service check", () => {
  useFastClock();
  const command = useCommandProcess();
  const headers = JSON.stringify({ "x-gateway-key": "c4nary-gateway-k3y" });

  /** Runs the command, and checks that its output contains no secret. */
  async function check(changes: Record<string, string | undefined> = {}) {
    const result = await command.run(["check"], { PROJECT_SERVICE_HEADERS: headers, ...changes });
    const secrets = ["c4nary-gateway-k3y", ...secretsOf(command.sandbox)];
    assertHoldsNone("the output", result.stdout + result.stderr, secrets);
    return result;
  }

  /** The settings of the sandbox as variables of the namespace `staging`. */
  const ofStaging = (): Record<string, string> =>
    Object.fromEntries(
      Object.entries(command.sandbox.envVars).map(([name, value]) => [
        name.replace("SERVICE_", "SERVICE_STAGING_"),
        value,
      ]),
    );

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

  it("prints the proxy of each address without its user and password, or that NO_PROXY excludes it", async () => {
    const { stdout } = await check({
      PROJECT_SERVICE_BASE_URL: "https://projects.invalid",
      PROJECT_SERVICE_AUTH_URL: "https://login.invalid",
      HTTPS_PROXY: "http://jane:c4nary-gateway-k3y@127.0.0.1:1",
      NO_PROXY: "projects.invalid",
    });
    assert.match(
      stdout,
      /^ {2}proxy {11}none for baseUrl: NO_PROXY excludes it\n {2}proxy {11}127\.0\.0\.1:1 for authUrl\n\nSteps$/m,
    );
    assert.doesNotMatch(stdout, /jane/);
    const direct = await check({ HTTP_PROXY: "http://127.0.0.1:1", NO_PROXY: "127.0.0.1" });
    assert.doesNotMatch(direct.stdout, /proxy/, "nothing reaches this machine through a proxy");
  });

  describe("in a Pulumi project", () => {
    beforeEach(() => writeFile(command.pathOf("Pulumi.yaml"), "name: hosting\nruntime: nodejs\n"));

    /** Runs the command with a Pulumi CLI that answers with a script. */
    async function checkWith(script: string, args: string[] = [], variables = {}) {
      await writeFile(command.pathOf("pulumi"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
      const PATH = command.directory + delimiter + process.env["PATH"];
      return command.run(["check", ...args], { PATH, ...variables });
    }

    /** Prints a config. Each value that is not in it comes from the environment. */
    const config = (...settings: Setting[]) => {
      const entry = ([key, value, secret]: Setting) => [
        `project-service:${key}`,
        { value, secret },
      ];
      const entries = settings.map(entry);
      return `echo '${JSON.stringify(Object.fromEntries(entries))}'`;
    };

    it("prints no value that the stack config encrypts", async () => {
      const { baseUrl, authUrl, realm } = command.sandbox.connection;
      const open: Setting = ["authUrl", authUrl, false];
      const secret: Setting = ["baseUrl", baseUrl, true];
      const { code, stdout } = await checkWith(config(open, secret));
      assert.equal(code, 0, stdout);
      assert.match(stdout, /^ {2}baseUrl {9}from project-service:baseUrl in the stack config$/m);
      assert.match(stdout, /^ {2}authUrl {9}http:\S+, from project-service:authUrl in the stack/m);

      const encrypted = config(open, secret, ["realm", realm, true]);
      const rejected = await checkWith(encrypted, [], { PROJECT_SERVICE_PASSWORD: "wrong" });
      assert.equal(rejected.code, 1);
      assert.match(rejected.stdout, /failed +Sign in +\d+ ms\n\n.* \[LOGIN_REJECTED\]: /);
      assert.doesNotMatch(rejected.stdout, /hosting|http:/);

      const url = "https://c4nary.invalid";
      const nowhere = config(open, ["baseUrl", url, true]);
      const unreachable = await checkWith(nowhere, [], { PROJECT_SERVICE_BASE_URL: url });
      assert.match(unreachable.stdout, /UNREACHABLE\]: .* no response from the server/);
      assert.doesNotMatch(unreachable.stdout, /c4nary/);
    });

    it("names a variable that is not used, because the stack config comes first", async () => {
      const { stdout } = await checkWith(config(["realm", "hosting", false]));
      assert.match(
        stdout,
        /^ {2}realm {11}hosting, from project-service:realm in the stack config$/m,
      );
      assert.match(stdout, /^ {2}not used here {3}PROJECT_SERVICE_REALM$/m);
      assert.doesNotMatch((await check()).stdout, /not used/);
    });

    it("takes the environment if no stack is selected, or the CLI is not logged in, and says so", async () => {
      for (const error of ["no stack selected", "PULUMI_ACCESS_TOKEN must be set for login"]) {
        const script = `echo 'error: ${error}; or so' >&2; exit 255`;
        const { code, stderr } = await checkWith(script);
        assert.equal(code, 0);
        assert.match(stderr, /^Warning: only environment variables are used\. /);
        assert.ok(stderr.endsWith(` says "${error}".\n`), stderr);
        assert.equal((await checkWith(script, ["--stack", "dev"])).code, 1);
      }
    });

    it("names the stack in PULUMI_STACK to the CLI, so that it cannot be missing in silence", async () => {
      const variables = { PULUMI_STACK: "gone" };
      const script = `for name; do :; done; echo "error: no stack named '$name' found" >&2; exit 255`;
      const gone = await checkWith(script, [], variables);
      assert.equal(gone.code, 1);
      assert.match(gone.stdout, /says "no stack named 'gone' found"\. Check --stack, PULUMI_STACK/);
    });

    it("takes the environment without a Pulumi CLI, and says so, unless a stack is named", async () => {
      const PATH = command.directory;
      const { code, stderr } = await command.run(["check"], { PATH });
      assert.equal(code, 0);
      assert.match(
        stderr,
        /^Warning: only environment variables are used\. There is no Pulumi CLI on PATH\.\n/,
      );
      const named = await command.run(["check", "--stack", "dev"], { PATH });
      assert.equal(named.code, 1);
      assert.match(
        named.stdout,
        /There is no Pulumi CLI on PATH\. Install it, or use environment variables alone, /,
      );
    });
  });

  it("reads the third project if the user may see the first two in the list only, and needs one", async () => {
    for (const id of ["p-1", "p-2"]) command.sandbox.forbiddenProjectIds.add(id);
    const { code, stdout } = await check();
    assert.equal(code, 0);
    assert.match(stdout, /ok +Read one project .* p-3 /);
    command.sandbox.forbiddenProjectIds.add("p-3");
    const forbidden = await check();
    assert.equal(forbidden.code, 1);
    assert.match(
      forbidden.stdout,
      /ok +List projects[^]*failed +Read one project[^]*\[FORBIDDEN\]/,
    );
    command.sandbox.projects = [];
    const none = await check();
    assert.equal(none.code, 1);
    assert.match(none.stdout, /\[NOT_FOUND\].*access to no project/);
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
    assert.match(stdout, /\[SETTINGS_INVALID\][^]*password is missing/);
  });

  it("says that a value starts or ends with white space", async () => {
    const variables = { PROJECT_SERVICE_PASSWORD: "c4nary\n" };
    const { stdout } = await command.run(["check"], variables);
    assert.match(
      stdout,
      /^ {2}password .* PROJECT_SERVICE_PASSWORD, starts or ends with white space$/m,
    );
    assert.doesNotMatch(stdout, /c4nary/);
  });

  it("looks for a relative caCertificate in the folder of --cwd", async () => {
    await mkdir(command.pathOf("hosting"));
    await writeFile(command.pathOf("hosting/ca.pem"), rootCertificates[0] as string);
    const variables = { PROJECT_SERVICE_CA_CERTIFICATE: "ca.pem" };
    assert.equal((await command.run(["check", "--cwd", "hosting"], variables)).code, 0);
    assert.equal((await command.run(["check"], variables)).code, 1);
  });

  it("takes the variables of the namespace in --connection, and names those that are not used", async () => {
    const variables = { ...ofStaging(), PROJECT_SERVICE_PASWORD: "c4nary" };
    const { code, stdout } = await command.run(["check", "--connection", "staging"], variables);
    assert.equal(code, 0, stdout);
    assert.match(
      stdout,
      /^ {2}password {8}from the environment variable PROJECT_SERVICE_STAGING_PASS/m,
    );
    const unused = [...Object.keys(command.sandbox.envVars), "PROJECT_SERVICE_PASWORD"].join(", ");
    assert.ok(stdout.includes(`\n  not used here   ${unused}\n`), stdout);
    const second = await command.run(["check", "--connection", "second"]);
    assert.match(second.stdout, /^Settings\n {2}none found$/m);
    assert.match(
      second.stdout,
      /- realm is missing\. There is no Pulumi project .* with --cwd \(or .* PROJECT_SERVICE_SECOND_REALM\)$/m,
    );
  });
});
