/** The realm that the tests sign in at, as Keycloak imports it. */

export const accessTokenLifetimeSeconds = 4;

/** Every character that a form, a shell, JSON or a header could spoil. */
export const awkwardPassword =
  " \"quoted\" 'single' \\back\\\\slash & = + % %41 # ? ; $HOME `x` ü € 🔑 \t ";

/** A user for each thing done to one, so that the event log and the lockout tell them apart. */
export const usernames = [
  "reader",
  "crowd",
  "steady",
  "logged-out",
  "cut-off",
  "awkward",
  "deployer",
  "mistaken",
  "disabled",
  "locked-out",
] as const;
export type Username = (typeof usernames)[number];

export function passwordOf(username: Username): string {
  return username === "awkward" ? awkwardPassword : `password of ${username}`;
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
    "LOGIN",
    "LOGIN_ERROR",
    "CLIENT_LOGIN",
    "CLIENT_LOGIN_ERROR",
    "REFRESH_TOKEN",
    "REFRESH_TOKEN_ERROR",
    "CODE_TO_TOKEN",
    "CODE_TO_TOKEN_ERROR",
    "LOGOUT",
    "LOGOUT_ERROR",
    "USER_DISABLED_BY_TEMPORARY_LOCKOUT",
    "USER_DISABLED_BY_PERMANENT_LOCKOUT",
  ],
  clients: [
    { clientId: "pulumi", publicClient: true, directAccessGrantsEnabled: true, ...anyRedirect },
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
    // An account that lacks one of these is not fully set up, and may not sign in.
    firstName: username,
    lastName: "Test",
    email: `${username}@example.com`,
    emailVerified: true,
    credentials: [{ type: "password", value: passwordOf(username), temporary: false }],
  })),
};
