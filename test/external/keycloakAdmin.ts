import assert from "node:assert/strict";
import type { Keycloak } from "../../tools/external/keycloak.js";
import { realm } from "./keycloakRealm.js";

interface UserRepresentation {
  readonly id: string;
  readonly username: string;
}

interface BruteForceStatus {
  readonly numFailures: number;
  readonly disabled: boolean;
}

interface EventRepresentation {
  readonly type: string;
  readonly clientId?: string;
  readonly userId?: string;
  readonly error?: string;
}

/** Reads and changes the realm as an administrator, with Keycloak's admin REST API. */
export class KeycloakAdmin {
  constructor(private readonly keycloak: Keycloak) {}

  /**
   * Returns the realm's event log, oldest event first. Each line has type, client, user and error,
   * for example `LOGIN pulumi reader` or `LOGIN_ERROR pulumi mistaken invalid_user_credentials`.
   */
  async events(): Promise<string[]> {
    const names = new Map((await this.users()).map(({ id, username }) => [id, username]));
    const events = await this.request<EventRepresentation[]>("GET", "/hosting/events?max=10000");
    return events
      .map(({ type, clientId, userId, error }) =>
        [type, clientId, names.get(userId ?? ""), error].filter((part) => part != null).join(" "),
      )
      .reverse();
  }

  async createRealm(): Promise<void> {
    await this.request("POST", "", realm);
  }

  async endSessionsOf(username: string): Promise<void> {
    await this.request("POST", `/hosting/users/${await this.idOf(username)}/logout`);
  }

  /** Returns the status of a user in brute-force detection. */
  async bruteForceStatusOf(username: string): Promise<BruteForceStatus> {
    const path = `/hosting/attack-detection/brute-force/users/${await this.idOf(username)}`;
    const { numFailures, disabled } = await this.request<BruteForceStatus>("GET", path);
    return { numFailures, disabled };
  }

  private async idOf(username: string): Promise<string> {
    const user = (await this.users()).find((candidate) => candidate.username === username);
    assert.ok(user, `no user ${username}`);
    return user.id;
  }

  private users(): Promise<UserRepresentation[]> {
    return this.request<UserRepresentation[]>("GET", "/hosting/users?max=1000");
  }

  private async request<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(`${this.keycloak.url}/auth/admin/realms${path}`, {
      method,
      headers: {
        authorization: `Bearer ${await this.signIn()}`,
        "content-type": "application/json",
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    assert.ok(response.ok, `${method} ${path} responded with status ${response.status}: ${text}`);
    return (text === "" ? undefined : JSON.parse(text)) as T;
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
