/* The certificate authorities that a user trusts in addition to the default ones. */
import { X509Certificate } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
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
  { folder, isSecret = false }: { folder: string; isSecret?: boolean },
): readonly string[] {
  const text = parseText(value);
  if (text.includes("-----BEGIN ")) return checked.get(text, () => certificatesIn(text));
  const path = isAbsolute(text) ? text : join(projectFolder(folder) ?? folder, text);
  try {
    const { mtimeMs, size } = statSync(path);
    const read = () => certificatesIn(readFileSync(path, "utf8"));
    return checked.get([path, mtimeMs, size], read);
  } catch (error) {
    if (error instanceof InvalidSetting) throw error;
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    if (isSecret) throw new InvalidSetting(`is the path of a file that cannot be read (${code})`);
    const file = path === text ? "which" : `but ${displayText(path, 300)}`;
    throw new InvalidSetting(
      `is the path ${displayText(text, 300)}, ${file} cannot be read (${code})`,
    );
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
