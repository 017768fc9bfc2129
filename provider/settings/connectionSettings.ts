/**
 * The settings of a connection: which Project Service to read, and as which user. The keys are also
 * the config keys of this package.
 *
 * An object is complete in itself. Keys that are optional have their default, and nothing else comes
 * from the stack config or the environment.
 */
export interface ConnectionSettings {
  /** Address of the service, without `/api/project/v5`. */
  baseUrl: string;
  /** Address of the identity provider, without `/auth/realms/{realm}`, or of its realm: it then ends with `/realms/<realm>`. */
  authUrl: string;
  /** Realm of the identity provider. Required unless `authUrl` ends with it. */
  realm?: string | undefined;
  /** The registered client. */
  clientId: string;
  /** Secret of a confidential client. A public client has none. Secret. */
  clientSecret?: string | undefined;
  /** Name of the user who reads. */
  username: string;
  /** The user's password. Secret. */
  password: string;
  /** OAuth scope to request. Default: the default scopes of the client. */
  scope?: string | undefined;
  /** Limit of one attempt of a request, in seconds, from connecting to the last byte. Default 15. */
  timeoutSeconds?: number | undefined;
  /** A certificate authority to trust in addition to the default ones: PEM text, or the path of a PEM file. */
  caCertificate?: string | undefined;
  /** Allows plain `http` to other hosts than loopback. Passwords are then sent in clear text. Default false. */
  insecureHttp?: boolean | undefined;
  /** Headers for every request, for instance for a gateway. Their values are secret. */
  headers?: Record<string, string> | undefined;
  /** Maximal number of connections, and so of concurrent requests. Default 16. */
  maxConcurrency?: number | undefined;
}
