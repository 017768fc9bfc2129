import assert from "node:assert/strict";
import { inspect } from "node:util";
import { type Credential, findCredentials, findLeaks } from "../../sandbox/leaks.js";
import type { Sandbox, SandboxProject } from "./testSandbox.js";

/** Returns the secrets of a sandbox: the reader's password, the tokens so far, and all credentials. */
export function secretsOf({ connection, issuedTokens, projects }: Sandbox): string[] {
  return [connection.password, ...issuedTokens, ...credentialsIn(projects)];
}

/** Returns every credential in projects: user names and passwords of databases, and addresses of imported repositories. */
export function credentialsIn(projects: readonly SandboxProject[]): string[] {
  return findCredentials(projects).map(({ value }) => value);
}

/** Searches texts for secrets and halves of secrets, in all forms. */
export class LeakSearch {
  private readonly searched: readonly Credential[];

  constructor(secrets: readonly string[]) {
    assert.ok(secrets.length > 0 && secrets.every((secret) => secret.length > 5));
    const texts = secrets.flatMap((secret) => {
      // A half counts too if it is so long that it does not occur by chance.
      const middle = Math.ceil(secret.length / 2);
      return middle < 8 ? secret : [secret, secret.slice(0, middle), secret.slice(middle)];
    });
    this.searched = texts.map((value) => ({ place: "a secret", value }));
  }

  /** Fails if the text contains one of the secrets in any form. */
  text(where: string, text: string): void {
    assert.ok(text.length > 0, `${where} is empty, so nothing was searched`);
    assert.deepEqual(findLeaks(this.searched, text), [], where);
  }

  /** Fails if an error, or anything that can be reached from it, contains one of the secrets. */
  error(where: string, error: Error): void {
    this.text(`${where}, message`, error.message);
    this.text(`${where}, stack`, String(error.stack));
    this.text(`${where}, inspected`, inspect(error, { depth: Infinity, showHidden: true }));
    this.text(`${where}, as JSON`, JSON.stringify(error));
    this.text(`${where}, cause`, inspect(error.cause, { depth: Infinity, showHidden: true }));
  }
}

/** Fails if the text contains one of the secrets. */
export function assertHoldsNone(where: string, text: string, secrets: readonly string[]): void {
  new LeakSearch(secrets).text(where, text);
}
