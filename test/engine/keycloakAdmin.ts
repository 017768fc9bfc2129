import assert from "node:assert/strict";
import type { Keycloak } from "../../tools/keycloak.js";

interface UserRepresentation {
  readonly id: string;
  readonly username: string;
}

interface EventRepresentation {
  readonly type: string;
  readonly clientId?: string;
  readonly userId?: string;
  readonly error?: string;
}

/** What an administrator of the realm sees and does, by Keycloak's admin REST API. */
export class KeycloakAdmin {
  private lastToken: { readonly value: string; readonly goodUntil: number } | undefined;

  constructor(private readonly keycloak: Keycloak) {}

  /**
   * The realm's event log, oldest first, a line each: type, client, user, error. For example
   * `LOGIN pulumi reader`, `LOGIN_ERROR pulumi mistaken invalid_user_credentials`.
   */
  async events(): Promise<string[]> {
    const names = new Map((await this.users()).map(({ id, username }) => [id, username]));
    const events = await this.ask<EventRepresentation[]>("GET", "/events?max=10000");
    return events
      .map(({ type, clientId, userId, error }) =>
        // Of a rejected renewal only older versions say whose it was.
        [type, clientId, type === "REFRESH_TOKEN_ERROR" ? null : names.get(userId ?? ""), error]
          .filter((part) => part != null)
          .join(" "),
      )
      .reverse();
  }

  async endSessionsOf(username: string): Promise<void> {
    await this.ask("POST", `/users/${await this.idOf(username)}/logout`);
  }

  /** What brute-force detection thinks of a user. */
  async bruteForceStatusOf(username: string): Promise<{ numFailures: number; disabled: boolean }> {
    const { numFailures, disabled } = await this.ask<{ numFailures: number; disabled: boolean }>(
      "GET",
      `/attack-detection/brute-force/users/${await this.idOf(username)}`,
    );
    return { numFailures, disabled };
  }

  private async idOf(username: string): Promise<string> {
    const user = (await this.users()).find((candidate) => candidate.username === username);
    assert.ok(user, `no user ${username}`);
    return user.id;
  }

  private users(): Promise<UserRepresentation[]> {
    return this.ask<UserRepresentation[]>("GET", "/users?max=1000");
  }

  private async ask<T>(method: string, path: string): Promise<T> {
    const { url, realm } = this.keycloak;
    const response = await fetch(`${url}/auth/admin/realms/${realm}${path}`, {
      method,
      headers: { authorization: `Bearer ${await this.token()}` },
    });
    const text = await response.text();
    assert.ok(response.ok, `${method} ${path} answered ${response.status}: ${text}`);
    return (text === "" ? undefined : JSON.parse(text)) as T;
  }

  private async token(): Promise<string> {
    if (this.lastToken === undefined || performance.now() > this.lastToken.goodUntil) {
      const goodUntil = performance.now() + 30_000; // of a minute
      this.lastToken = { value: await this.signIn(), goodUntil };
    }
    return this.lastToken.value;
  }

  private async signIn(): Promise<string> {
    const { url, admin } = this.keycloak;
    const response = await fetch(`${url}/auth/realms/master/protocol/openid-connect/token`, {
      method: "POST",
      body: new URLSearchParams({ grant_type: "password", client_id: "admin-cli", ...admin }),
    });
    assert.equal(response.status, 200, "the administrator cannot sign in");
    return ((await response.json()) as { access_token: string }).access_token;
  }
}
