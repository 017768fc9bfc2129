import assert from "node:assert/strict";
import type { Keycloak } from "../../tools/external/keycloak.js";
import { realm } from "./keycloakRealm.js";

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

/** Reads and changes the realm as an administrator, with Keycloak's admin REST API. */
export class KeycloakAdmin {
  private lastToken: { readonly value: string; readonly validUntil: number } | undefined;

  constructor(private readonly keycloak: Keycloak) {}

  /**
   * Returns the realm's event log, oldest event first. Each line has type, client, user and error,
   * for example `LOGIN pulumi reader` or `LOGIN_ERROR pulumi mistaken invalid_user_credentials`.
   */
  async events(): Promise<string[]> {
    const names = new Map((await this.users()).map(({ id, username }) => [id, username]));
    const events = await this.request<EventRepresentation[]>("GET", "/events?max=10000");
    return events
      .map(({ type, clientId, userId, error }) =>
        [type, clientId, names.get(userId ?? ""), error].filter((part) => part != null).join(" "),
      )
      .reverse();
  }

  async endSessionsOf(username: string): Promise<void> {
    await this.request("POST", `/users/${await this.idOf(username)}/logout`);
  }

  /** Returns the status of a user in brute-force detection. */
  async bruteForceStatusOf(username: string): Promise<{ numFailures: number; disabled: boolean }> {
    const { numFailures, disabled } = await this.request<{
      numFailures: number;
      disabled: boolean;
    }>("GET", `/attack-detection/brute-force/users/${await this.idOf(username)}`);
    return { numFailures, disabled };
  }

  private async idOf(username: string): Promise<string> {
    const user = (await this.users()).find((candidate) => candidate.username === username);
    assert.ok(user, `no user ${username}`);
    return user.id;
  }

  private users(): Promise<UserRepresentation[]> {
    return this.request<UserRepresentation[]>("GET", "/users?max=1000");
  }

  private async request<T>(method: string, path: string): Promise<T> {
    const url = `${this.keycloak.url}/auth/admin/realms/${realm.realm}${path}`;
    const response = await fetch(url, {
      method,
      headers: { authorization: `Bearer ${await this.token()}` },
    });
    const text = await response.text();
    assert.ok(response.ok, `${method} ${path} responded with status ${response.status}: ${text}`);
    return (text === "" ? undefined : JSON.parse(text)) as T;
  }

  private async token(): Promise<string> {
    if (this.lastToken === undefined || performance.now() > this.lastToken.validUntil) {
      const validUntil = performance.now() + 30_000; // the token is valid for a minute
      this.lastToken = { value: await this.signIn(), validUntil };
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
