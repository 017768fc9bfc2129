import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import { type DatabaseAddress, isHost } from "../../provider/model/urlOfDatabase.js";

/**
 * Returns the address in `--database-url`.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` without the address, which may contain a password.
 */
export function parseDatabaseAddress(text: string): DatabaseAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const host = url?.hostname.replace(/^\[(.*)\]$/, "$1") ?? "";
  if (
    url &&
    isHost(host) &&
    /^\/?$/.test(url.pathname) &&
    !url.username &&
    !url.password &&
    !url.hash
  ) {
    return {
      protocol: url.protocol.slice(0, -1),
      host,
      port: url.port === "" ? undefined : Number(url.port),
      query: Object.fromEntries(url.searchParams),
    };
  }
  throw argumentInvalid(
    "--database-url must be an address without a user or a path, such as mysql://db.example.com:3306?charset=utf8mb4.",
  );
}
