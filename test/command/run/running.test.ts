import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { toolOrSkip } from "../../support/toolOrSkip.js";
import { cli, useCommandProcess } from "../commandProcess.js";

const execFileOf = promisify(execFile);

async function waitForFile(path: string): Promise<void> {
  while (!existsSync(path)) await setTimeout(50);
}

describe("pulumi-project-service run, while the command runs,", () => {
  const command = useCommandProcess();
  const ofShop = ["live", "--project", "shop"];

  /** Starts a script, and waits until it prints a line. */
  async function start(script: string) {
    const { directory: cwd, sandbox } = command;
    const env = { ...sandbox.envVars, PATH: process.env["PATH"] };
    const words = [cli, "run", ...ofShop, "--", "sh", "-c", script];
    // A process group without a terminal, as in a job.
    const child = spawn(process.execPath, words, {
      cwd,
      env,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    await once(child.stdout, "data");
    child.stdout.pause();
    return child;
  }

  const others = ["SIGUSR1", "SIGUSR2", "SIGWINCH", "SIGCONT"] as const;
  for (const signal of ["SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM", ...others] as const) {
    it(`passes ${signal} on, and ends after the command`, async () => {
      const name = signal.slice(3);
      const script = `trap 'sleep 0.3; echo got; exit 3' ${name}; echo ready; while :; do sleep 0.05; done`;
      const child = await start(script);
      const rest = text(child.stdout);
      child.kill(signal);
      assert.deepEqual(await once(child, "exit"), [3, null]);
      assert.equal(await rest, "got\n");
    });
  }

  for (const redirection of ["", "</dev/null", "</dev/null 2>&1 | tee log"]) {
    const title = `leaves Ctrl-C to the terminal with ${redirection || "its input"}: one signal, and a script ends`;
    it(title, async function () {
      const script = await toolOrSkip(this, () => execFileOf("which", ["script"]));
      const work = `
        const { appendFileSync, writeFileSync } = require("fs");
        const waiting = setTimeout(() => {}, 60_000);
        const stop = () => appendFileSync("signals", "INT\\n");
        process.on("SIGINT", stop);
        // Until then, another signal would be seen.
        process.once("SIGINT", () => setTimeout(() => {
          process.removeAllListeners("SIGINT");
          process.kill(process.pid, "SIGINT");
        }, 1_000));
        writeFileSync("ready", "");`;
      await writeFile(command.pathOf("work.cjs"), work);
      const words = [process.execPath, cli, "run", ...ofShop, "--", process.execPath, "work.cjs"];
      const line = words.map((word) => `"${word}"`).join(" ");
      await writeFile(
        command.pathOf("job.sh"),
        `set -o pipefail; ${line} ${redirection}; echo on >>signals`,
      );
      const { directory: cwd, sandbox } = command;
      const env = { ...sandbox.envVars, PATH: process.env["PATH"] };
      const child = spawn(script.stdout.trim(), ["-qc", "bash job.sh", "/dev/null"], { cwd, env });
      const exited = once(child, "exit");
      await waitForFile(command.pathOf("ready"));
      // Two signals at once are one for a process that is busy.
      await setTimeout(500);
      child.stdin.write("\u0003");
      await exited;
      assert.equal(await readFile(command.pathOf("signals"), "utf8"), "INT\n");
    });
  }
});
