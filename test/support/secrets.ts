import assert from "node:assert/strict";
import type { SandboxProject } from "../../sandbox/index.js";

/** Every credential in projects: user names and passwords of databases, and what an import tells. */
export function credentialsIn(projects: readonly SandboxProject[]): string[] {
  return projects.flatMap((project) => [
    ...project.projectEnvironments.flatMap((environment) =>
      environment.projectEnvironmentDatabases.databases.flatMap(({ username, password }) => [
        username,
        password,
      ]),
    ),
    ...(project.codeRepository.importRepository === null
      ? []
      : [(project.codeRepository.importRepository as { url: string }).url]),
  ]);
}

/** Fails if one of the secrets stands in the text, raw or as it would be escaped in JSON. */
export function assertHoldsNone(where: string, text: string, secrets: readonly string[]): void {
  assert.ok(text.length > 0, `${where} is empty: nothing was searched`);
  for (const secret of secrets) {
    for (const form of [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]) {
      const place = text.indexOf(form);
      assert.equal(
        place,
        -1,
        `${where} holds a secret: …${text.slice(Math.max(0, place - 80), place)}…`,
      );
    }
  }
}

/** Lines in which Pulumi itself prints the secrets that a program hands to a resource, by name. */
const printedByPulumi = [
  /^[IWEF]\d{4} \d\d:\d\d:\d\d\.\d+ /, // the engine's own log, at high verbosity
  /RegisterResource RPC finished: resource:/, // a debug line of @pulumi/pulumi
];

/** The lines of a log that are not Pulumi's own. */
export function withoutPulumisOwn(log: string): string {
  return log
    .split("\n")
    .filter((line) => !printedByPulumi.some((pattern) => pattern.test(line)))
    .join("\n");
}
