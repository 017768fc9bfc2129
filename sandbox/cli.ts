#!/usr/bin/env node
import { parseArgs } from "node:util";
import { startSandbox } from "./startSandbox.js";

const usage = `Usage: project-service-sandbox [--port <port>]

Runs a Project Service with twelve invented projects on 127.0.0.1 until you stop it.
Without --port it listens on any free port.
`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { port: { type: "string" }, help: { type: "boolean", short: "h" } },
  });
  if (values.help === true) {
    process.stdout.write(usage);
    return;
  }
  const { connection } = await startSandbox({ port: portOf(values.port ?? "0") });
  const commands = Object.entries(connection).map(
    ([key, value]) =>
      `  pulumi config set ${key === "password" ? "--secret " : ""}project-service:${key} ${value}`,
  );
  process.stdout.write(
    `A Project Service is running at ${connection.baseUrl}.\n` +
      `To read it from a stack, run these commands in your Pulumi project:\n\n` +
      `${commands.join("\n")}\n\nPress Ctrl-C to stop it.\n`,
  );
}

function portOf(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new Error("--port must be an integer from 0 to 65535.");
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  process.exitCode = 2;
});
