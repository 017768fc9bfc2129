import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseCertificates } from "../../../provider/settings/certificates.js";
import { createAuthority, createCertificate } from "../../support/certificates.js";
import { listen } from "../../support/listen.js";
import { compiled } from "../../support/paths.js";
import { connectionTo, respondCorrectly } from "../../support/scriptedServer.js";

describe("the certificate authorities", () => {
  const own = createAuthority("An authority of caCertificate");
  const extra = createAuthority("An authority of NODE_EXTRA_CA_CERTS");
  const folder = mkdtempSync(join(tmpdir(), "certificates-"));
  const file = join(folder, "ca.pem");
  const extraFile = join(folder, "extra.pem");
  before(() => writeFileSync(extraFile, `Some text before it.\n${extra.cert}`));
  after(() => rmSync(folder, { recursive: true }));

  /** Starts a service whose certificate is from an authority. */
  async function start(authority: typeof own): Promise<string> {
    const certificate = createCertificate(authority, "127.0.0.1");
    const server = createServer(certificate, (request, response) =>
      respondCorrectly(request.resume(), response),
    );
    return `https://127.0.0.1:${await listen(server)}`;
  }

  /** Reads a project in a new process: Node reads NODE_EXTRA_CA_CERTS when it starts. */
  async function read(
    baseUrl: string,
    authUrl: string,
    extraCertificates: string,
    caCertificate = own.cert,
  ) {
    const connection = connectionTo(baseUrl, { authUrl, caCertificate });
    const program = `require(${JSON.stringify(compiled("sdk/index.ts"))})
      .getProject({ projectId: "p-1" }, { connection: ${JSON.stringify(connection)} })
      .then(({ name }) => console.log(name), ({ code }) => console.log(code))`;
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: extraCertificates };
    return new Promise<string>((resolve) => {
      execFile(process.execPath, ["-e", program], { env }, (_, stdout) => resolve(stdout.trim()));
    });
  }

  it("of caCertificate and of NODE_EXTRA_CA_CERTS are trusted together", async () => {
    const [ofOwn, ofExtra] = [await start(own), await start(extra)];
    const results = [
      read(ofExtra, ofOwn, extraFile),
      read(ofOwn, ofOwn, join(folder, "missing.pem")),
    ];
    assert.deepEqual(await Promise.all(results), ["shop", "shop"]);
  });

  it("can be an intermediate one, without its root", async () => {
    const intermediate = createAuthority("An intermediate authority", own);
    const url = await start(intermediate);
    assert.equal(await read(url, url, "", intermediate.cert), "shop");
    assert.equal(await read(url, url, "", extra.cert), "TLS_FAILED");
  });

  it("of a file are read again only after a change", () => {
    writeFileSync(file, own.cert);
    const certificates = parseCertificates(file, { folder });
    assert.equal(parseCertificates(file, { folder }), certificates);
    assert.ok(Object.isFrozen(certificates));
    writeFileSync(file, own.cert + extra.cert);
    assert.equal(parseCertificates(file, { folder }).length, 2);
  });

  it("of a relative path are in the folder of the Pulumi project, also for a program below it", () => {
    const project = join(folder, "project");
    const program = join(project, "infrastructure", "main");
    mkdirSync(program, { recursive: true });
    writeFileSync(join(project, "ca.pem"), own.cert);
    writeFileSync(join(project, "Pulumi.yaml"), "name: hosting\n");
    for (const folder of [project, program]) {
      assert.equal(parseCertificates("ca.pem", { folder }).length, 1);
      // It does not name the path: a password can be in the wrong setting.
      const message = `is not PEM text, nor a file that can be read (ENOENT). Relative paths start in ${project}`;
      assert.throws(() => parseCertificates("no.pem", { folder }), { message });
    }
  });
});
