import { readdirSync, readFileSync } from "node:fs";

/** The processes of a Pulumi command and of `project-service drift`, by their command lines. */
const commandLines = {
  drift: /command\/cli\.js\0drift\0/,
  program: /@pulumi\/pulumi\/cmd\/run\//,
  engine: /^\S*pulumi\0/,
  provider: /@pulumi\/pulumi\/cmd\/dynamic-provider\//,
};

export type ProcessName = keyof typeof commandLines;

/** What a process used until it ended, or until shortly before. 0 if there was no such process. */
export interface ProcessUse {
  readonly peakMegabytes: number;
  readonly cpuSeconds: number;
}

const intervalMs = 100;
/** The unit of CPU times in /proc, on all usual builds of Linux. */
const ticksPerSecond = 100;

/**
 * Watches a command and its descendants. It reads /proc, which only Linux has.
 *
 * @returns a function that ends the watch and returns what each process used.
 */
export function watchProcesses(pid: number): () => Record<ProcessName, ProcessUse> {
  const unused: ProcessUse = { peakMegabytes: 0, cpuSeconds: 0 };
  const uses = { drift: unused, program: unused, engine: unused, provider: unused };
  const timer = setInterval(() => {
    for (const { commandLine, use } of processTree(pid)) {
      for (const [name, pattern] of Object.entries(commandLines)) {
        if (pattern.test(commandLine)) uses[name as ProcessName] = use;
      }
    }
  }, intervalMs);
  return () => {
    clearInterval(timer);
    return uses;
  };
}

/** Returns a process and its descendants. Leaves out those that have ended meanwhile. */
function processTree(pid: number): { commandLine: string; use: ProcessUse }[] {
  const read = (file: string) => readFileSync(`/proc/${pid}/${file}`, "utf8");
  try {
    const commandLine = read("cmdline");
    const [, peakKilobytes = "0"] = /^VmHWM:\s+(\d+)/m.exec(read("status")) ?? [];
    // The second field of stat is the name in parentheses. It may contain spaces.
    const fields = read("stat")
      .replace(/^.*\) /s, "")
      .split(" ");
    const [userTicks, systemTicks] = [Number(fields[11]), Number(fields[12])];
    const use = {
      peakMegabytes: Number(peakKilobytes) / 1_024,
      cpuSeconds: (userTicks + systemTicks) / ticksPerSecond,
    };
    const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      read(`task/${thread}/children`).split(" ").filter(Boolean),
    );
    return [{ commandLine, use }, ...children.flatMap((child) => processTree(Number(child)))];
  } catch {
    return [];
  }
}
