import { isIP } from "node:net";
import forge from "node-forge";

/** A certificate with its key, both as PEM text. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface Issuer extends Certificate {
  readonly subject: forge.pki.CertificateField[];
}

const dayMs = 86_400_000;
let serialNumber = 1;

/** Creates a private certificate authority: a root, or an intermediate one. */
export function createAuthority(commonName: string, root?: Issuer): Issuer {
  const subject = [{ name: "commonName", value: commonName }];
  const { cert, key } = issue(subject, newKeys(), root, [
    { name: "basicConstraints", cA: true },
    { name: "keyUsage", keyCertSign: true, digitalSignature: true },
  ]);
  return { cert, key, subject };
}

/** Creates a server's certificate for a DNS name or an IP address, which is valid now or has expired. */
export function createCertificate(
  authority: Issuer,
  host: string,
  { expired = false } = {},
): Certificate {
  return issue(
    [{ name: "commonName", value: host }],
    (serverKeys ??= newKeys()),
    authority,
    [
      {
        name: "subjectAltName",
        altNames: [isIP(host) === 0 ? { type: 2, value: host } : { type: 7, ip: host }],
      },
    ],
    expired ? Date.now() - dayMs : Date.now() + dayMs,
  );
}

const newKeys = () => forge.pki.rsa.generateKeyPair(2048);
/** All servers have the same keys, because it takes up to a second to make some. */
let serverKeys: forge.pki.rsa.KeyPair | undefined;

function issue(
  subject: forge.pki.CertificateField[],
  keys: forge.pki.rsa.KeyPair,
  issuer: Issuer | undefined,
  extensions: object[],
  notAfterMs = Date.now() + dayMs,
): Certificate {
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = keys.publicKey;
  certificate.serialNumber = String(serialNumber++).padStart(2, "0");
  certificate.validity.notBefore = new Date(notAfterMs - 10 * dayMs);
  certificate.validity.notAfter = new Date(notAfterMs);
  certificate.setSubject(subject);
  certificate.setIssuer(issuer?.subject ?? subject);
  certificate.setExtensions(extensions);
  const signingKey =
    issuer === undefined ? keys.privateKey : forge.pki.privateKeyFromPem(issuer.key);
  certificate.sign(signingKey, forge.md.sha256.create());
  return {
    cert: forge.pki.certificateToPem(certificate),
    key: forge.pki.privateKeyToPem(keys.privateKey),
  };
}
