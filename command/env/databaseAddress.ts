import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import { type DatabaseAddress, isHost } from "../../provider/model/urlOfDatabase.js";

/**
 * Returns the address in `--database-url`.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` without the address, which may contain a password.
 */
export function parseDatabaseAddress(text: string): DatabaseAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const query = Object.fromEntries(url?.searchParams ?? []);
  const host = url?.hostname.replace(/^\[(.*)\]$/, "$1") ?? "";
  if (
    url &&
    isHost(host) &&
    /^\/?$/.test(url.pathname) &&
    !url.username &&
    !url.password &&
    !url.hash &&
    url.searchParams.size === Object.keys(query).length
  ) {
    return {
      protocol: url.protocol.slice(0, -1),
      host,
      port: url.port === "" ? undefined : Number(url.port),
      query,
    };
  }
  throw argumentInvalid(
    "--database-url must be an address without a user, a path or a repeated key, such as mysql://db.example.com:3306?charset=utf8mb4.",
  );
}
