import * as pulumi from "@pulumi/pulumi";

/** Replaces the config of the stack by settings of the namespace `project-service`. */
export function setConfig(settings: object): void {
  const entries = Object.entries(settings).map(([key, value]) => [
    `project-service:${key}`,
    String(value),
  ]);
  const config = Object.fromEntries(entries) as Record<string, string>;
  pulumi.runtime.setAllConfig(config, ["project-service:password"]);
}
