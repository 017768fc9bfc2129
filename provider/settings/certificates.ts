/* The certificate authorities that a user trusts in addition to the default ones. */
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import * as tls from "node:tls";
import { displayText } from "../errors/displayText.js";
import { projectFolder } from "./projectFolder.js";
import { ResultCache } from "./resultCache.js";
import { InvalidSetting, parseText } from "./parseSetting.js";

/** A bundle of 145 certificates takes 20 ms to check. */
const checked = new ResultCache<readonly string[]>();

/** @param value PEM text, or the path of a PEM file. A relative path starts in the folder of the Pulumi project. */
export function parseCertificates(
  value: unknown,
  { folder }: { folder: string },
): readonly string[] {
  const text = parseText(value);
  const pem = text.includes("-----BEGIN ") ? text : readPem(text, projectFolder(folder) ?? folder);
  return checked.get(pem, () => certificatesIn(pem));
}

/** The message does not contain the path: it could be a password that is in the wrong setting. */
function readPem(path: string, folder: string): string {
  try {
    return readFileSync(resolve(folder, path), "utf8");
  } catch (error) {
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    const start = isAbsolute(path) ? "" : `. Relative paths start in ${displayText(folder, 300)}`;
    throw new InvalidSetting(`is not PEM text, nor a file that can be read (${code})${start}`);
  }
}

function certificatesIn(pem: string): readonly string[] {
  const certificates =
    pem.match(/-----BEGIN CERTIFICATE-----[^]*?-----END CERTIFICATE-----/g) ?? [];
  if (certificates.length === 0) {
    throw new InvalidSetting("must be a certificate in PEM form, or the path of a PEM file");
  }
  try {
    for (const certificate of certificates) new X509Certificate(certificate);
  } catch {
    throw new InvalidSetting(
      pem.includes("\\n")
        ? "contains \\n instead of line breaks"
        : "contains an invalid certificate",
    );
  }
  return Object.freeze(certificates);
}

/** Returns what to pass as `ca` to trust `own` in addition to the default authorities, or undefined if there are none. */
export function trustedCertificates(own: readonly string[]): string[] | undefined {
  if (own.length === 0) return undefined;
  // From Node 22.15 on: https://nodejs.org/api/tls.html#tlsgetcacertificatestype. It contains those of
  // NODE_EXTRA_CA_CERTS.
  const { getCACertificates } = tls as { getCACertificates?: (type: "default") => string[] };
  const defaults = getCACertificates?.("default");
  return [...own, ...(defaults ?? [...tls.rootCertificates, extraCertificates()])];
}

/** Like Node, ignores a file of NODE_EXTRA_CA_CERTS that cannot be read. */
function extraCertificates(): string {
  try {
    return readFileSync(process.env["NODE_EXTRA_CA_CERTS"] ?? "", "utf8");
  } catch {
    return "";
  }
}
