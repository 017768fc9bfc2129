#!/usr/bin/env node
import { parseArgs } from "node:util";
import { startSandbox } from "./startSandbox.js";

const usage = `Usage: project-service-sandbox [--port <port>]

Runs a Project Service with a dozen invented projects on 127.0.0.1, until it is stopped.
`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { port: { type: "string" }, help: { type: "boolean", short: "h" } },
  });
  if (values.help === true) {
    process.stdout.write(usage);
    return;
  }
  const { connection } = await startSandbox({ port: Number(values.port ?? 0) });
  const commands = Object.entries(connection).map(
    ([key, value]) =>
      `  pulumi config set ${key === "password" ? "--secret " : ""}project-service:${key} ${value}`,
  );
  process.stdout.write(
    `A Project Service is running at ${connection.baseUrl}. In a Pulumi project, point a stack at it:\n\n` +
      `${commands.join("\n")}\n\nCtrl-C stops it.\n`,
  );
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  process.exitCode = 2;
});
