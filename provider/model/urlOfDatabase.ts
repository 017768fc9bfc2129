import { isIPv6 } from "node:net";

/** The parts of a database's URL that the Project Service does not know. */
export interface DatabaseAddress {
  readonly protocol: string;
  readonly host: string;
  readonly port?: number | undefined;
  readonly query?: Readonly<Record<string, string>> | undefined;
}

/** Whether a text is a host name, or an IP address without brackets. */
export function isHost(text: string): boolean {
  // A URL has no zones of addresses.
  return /^[\w.-]+$/.test(text) || (isIPv6(text) && !text.includes("%"));
}

/** Encodes each part, so that every parser of URLs reads the same values. */
export function urlOfDatabase(
  { name, username, password }: Readonly<Record<"name" | "username" | "password", string>>,
  { protocol, host, port, query = {} }: DatabaseAddress,
): string {
  const [user, word, path] = [username, password, name].map(encodeURIComponent);
  const server = host.includes(":") ? `[${host}]` : host;
  // Not URLSearchParams: clients read its + for a space as a plus.
  const pairs = Object.entries(query).map((pair) => pair.map(encodeURIComponent).join("="));
  const suffix = pairs.length === 0 ? "" : `?${pairs.join("&")}`;
  return `${protocol}://${user}:${word}@${server}${port === undefined ? "" : `:${port}`}/${path}${suffix}`;
}
