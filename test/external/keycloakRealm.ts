/* The realm at which the tests sign in, as Keycloak's admin API takes it. */

export const accessTokenLifetimeSeconds = 4;

/** Has every character that a form, a shell, JSON or a header could change. */
export const specialPassword =
  " \"quoted\" 'single' \\back\\\\slash & = + % %41 # ? ; $HOME `x` ü € 🔑 \t ";

/** One user for each purpose: the event log and the lockout then tell the purposes apart. */
export const usernames = [
  "reader",
  "steady",
  "logged-out",
  "cut-off",
  "special",
  "mistaken",
  "disabled",
  "locked-out",
  "parallel",
] as const;
export type Username = (typeof usernames)[number];

export function passwordOf(username: Username): string {
  return username === "special" ? specialPassword : `password of ${username}`;
}

export const clientSecret = "secret of the confidential client";
const anyRedirect = { redirectUris: ["*"], protocol: "openid-connect" };

export const realm = {
  realm: "hosting",
  enabled: true,
  sslRequired: "none",
  accessTokenLifespan: accessTokenLifetimeSeconds,
  revokeRefreshToken: true,
  refreshTokenMaxReuse: 0,
  bruteForceProtected: true,
  failureFactor: 3,
  eventsEnabled: true,
  enabledEventTypes: [
    ...["LOGIN", "CLIENT_LOGIN", "REFRESH_TOKEN", "CODE_TO_TOKEN", "LOGOUT"].flatMap((type) => [
      type,
      `${type}_ERROR`,
    ]),
    ...["USER_DISABLED_BY_TEMPORARY_LOCKOUT", "USER_DISABLED_BY_PERMANENT_LOCKOUT"],
  ],
  clients: [
    { clientId: "pulumi", publicClient: true, directAccessGrantsEnabled: true, ...anyRedirect },
    {
      clientId: "long-lived",
      publicClient: true,
      directAccessGrantsEnabled: true,
      attributes: { "access.token.lifespan": "300" },
      ...anyRedirect,
    },
    {
      clientId: "pulumi-confidential",
      secret: clientSecret,
      directAccessGrantsEnabled: true,
      ...anyRedirect,
    },
    { clientId: "browser", publicClient: true, directAccessGrantsEnabled: false, ...anyRedirect },
  ],
  users: usernames.map((username) => ({
    username,
    enabled: username !== "disabled",
    // Keycloak rejects the sign-in of an account without these fields as not fully set up.
    firstName: username,
    lastName: "Test",
    email: `${username}@example.com`,
    emailVerified: true,
    credentials: [{ type: "password", value: passwordOf(username), temporary: false }],
  })),
};
