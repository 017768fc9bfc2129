// Runs run.mjs with the sandbox and a temporary local backend, so you need no service of your own:
//   node try.mjs [--shards 4] [--parallel 2]
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { startSandbox } from "pulumi-project-service/sandbox";

const here = import.meta.dirname;
// Inside this folder, so that the copy finds the same packages.
const copy = await mkdtemp(join(here, ".try-"));
const state = join(copy, "state");
const sandbox = await startSandbox();
process.on("SIGINT", () => {}); // the child receives it too and ends; then this process cleans up
try {
  await mkdir(state);
  for (const file of ["Pulumi.yaml", "tsconfig.json", "index.ts"]) {
    await cp(join(here, file), join(copy, file));
  }
  const child = spawn(process.execPath, [join(here, "run.mjs"), ...process.argv.slice(2)], {
    cwd: copy,
    env: {
      ...process.env,
      ...sandbox.environment,
      PULUMI_BACKEND_URL: `file://${state}`,
      PULUMI_HOME: join(copy, "home"),
      PULUMI_CONFIG_PASSPHRASE: "",
      PULUMI_SKIP_UPDATE_CHECK: "true",
    },
    stdio: "inherit",
  });
  [process.exitCode] = await once(child, "close");
} finally {
  await sandbox.close();
  await rm(copy, { recursive: true, force: true });
}
