import * as tls from "node:tls";
/** Temporary. */
export function trustedCertificates(own: readonly string[]): string[] | undefined {
  return own.length === 0 ? undefined : [...own, ...tls.rootCertificates];
}
