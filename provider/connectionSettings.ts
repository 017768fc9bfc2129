/**
 * Where the Project Service is and who reads it: the config keys of the package, as an object.
 *
 * A key that is left out is looked up in the stack config (`project-service:<key>`), then in the
 * environment (`PROJECT_SERVICE_<KEY>`), then has its default.
 */
export interface ConnectionSettings {
  /** Base address of the project API, the part before `/api/project/v5`. */
  baseUrl?: string | undefined;
  /** Base address of the identity provider, the part before `/auth/realms/{realm}`. */
  authUrl?: string | undefined;
  /** Realm of the identity provider. */
  realm?: string | undefined;
  /** The registered client. */
  clientId?: string | undefined;
  /** Secret of a confidential client; a public client has none. Secret. */
  clientSecret?: string | undefined;
  /** The user who reads. */
  username?: string | undefined;
  /** The user's password. Secret. */
  password?: string | undefined;
  /** OAuth scope to ask for; the client's default scopes when left out. */
  scope?: string | undefined;
  /** Deadline of one attempt of one request, in seconds, from connecting to the last byte. Default 15. */
  timeoutSeconds?: number | undefined;
  /** A certificate authority to trust besides the usual ones: PEM text, or the path of a PEM file. */
  caCertificate?: string | undefined;
  /** Allows plain `http` beyond loopback. Passwords then cross the network in clear. Default false. */
  insecureHttp?: boolean | undefined;
  /** Headers sent with every request, for instance those of a gateway. Their values are secret. */
  headers?: Record<string, string> | undefined;
  /** Connections, and with them concurrent requests, at most. Default 16. */
  maxConcurrency?: number | undefined;
}
