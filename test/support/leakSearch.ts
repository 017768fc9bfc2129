import assert from "node:assert/strict";
import { inspect } from "node:util";
import type { Sandbox, SandboxProject } from "./testSandbox.js";

/** Returns the secrets of a sandbox: the reader's password, the tokens so far, and all credentials. */
export function secretsOf({ connection, issuedTokens, projects }: Sandbox): string[] {
  return [connection.password, ...issuedTokens, ...credentialsIn(projects)];
}

/** Returns every credential in projects: user names and passwords of databases, and addresses of imported repositories. */
export function credentialsIn(projects: readonly SandboxProject[]): string[] {
  return projects.flatMap((project) => [
    ...project.projectEnvironments.flatMap((environment) =>
      environment.projectEnvironmentDatabases.databases.flatMap(({ username, password }) => [
        username,
        password,
      ]),
    ),
    ...(project.codeRepository?.importRepository
      ? [(project.codeRepository.importRepository as { url: string }).url]
      : []),
  ]);
}

/**
 * Returns the forms in which a secret can appear in a text. Each half of a secret counts too, if the
 * secret is so long that a half does not occur by chance.
 */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const middle = Math.ceil(secret.length / 2);
  return [
    ...new Set([
      secret,
      encodeURIComponent(secret),
      new URLSearchParams({ "": secret }).toString().slice(1),
      bytes.toString("base64"),
      bytes.toString("base64url"),
      JSON.stringify(secret).slice(1, -1),
      JSON.stringify(JSON.stringify(secret)).slice(3, -3),
      ...(secret.length >= 16 ? [secret.slice(0, middle), secret.slice(middle)] : []),
    ]),
  ];
}

/** Searches texts for secrets, and counts the searched places. */
export class LeakSearch {
  places = 0;
  forms = 0;
  private readonly needles: readonly string[];

  constructor(secrets: readonly string[]) {
    assert.ok(secrets.length > 0 && secrets.every((secret) => secret.length > 5));
    this.needles = [...new Set(secrets.flatMap(formsOf))];
  }

  /** Fails if the text contains one of the secrets in any form. */
  text(where: string, text: string): void {
    assert.ok(text.length > 0, `${where} is empty, so nothing was searched`);
    this.places++;
    this.forms += this.needles.length;
    for (const needle of this.needles) {
      const place = text.indexOf(needle);
      const before = text.slice(Math.max(0, place - 80), place);
      assert.equal(place, -1, `${where} contains a secret after: …${before}…`);
    }
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

/** Lines in which Pulumi itself prints the secret inputs of a resource. */
const printedByPulumi = [
  /^[IWEF]\d{4} \d\d:\d\d:\d\d\.\d+ /, // the engine's own log, at high verbosity
  /(Register|Read)Resource RPC finished: resource:/, // debug lines of @pulumi/pulumi
];

/** Removes Pulumi's own lines from a log. */
export function withoutPulumisOwn(log: string): string {
  return log
    .split("\n")
    .filter((line) => !printedByPulumi.some((pattern) => pattern.test(line)))
    .join("\n");
}
