import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { compiled } from "../support/paths.js";

/** No program here needs that long. Without a limit, one that does not end would outlive the test. */
const limitMs = 25_000;

const imports = `
import { getProject } from "${pathToFileURL(compiled("sdk/index.ts")).href}";
import { startSandbox } from "${pathToFileURL(compiled("sandbox/index.ts")).href}";
`;

describe("a process with a sandbox that it never closes", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "sandbox-"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function run(program: string) {
    const file = join(folder, "program.test.mjs");
    await writeFile(file, imports + program);
    const options = { timeout: limitMs, killSignal: "SIGKILL" } as const;
    return new Promise<{ code: unknown; stdout: string }>((resolve) =>
      execFile(process.execPath, [file], options, (error, stdout, stderr) =>
        resolve({
          code: error === null ? 0 : (error.code ?? error.signal),
          stdout: stdout + stderr,
        }),
      ),
    );
  }

  it("reads a project and ends, although requests fail first", async () => {
    const result = await run(
      `const sandbox = await startSandbox();
       sandbox.failNext({ status: 503, times: 2 });
       const opts = { connection: sandbox.connection };
       console.log((await getProject({ name: "shop" }, opts)).projectId);`,
    );
    assert.deepEqual(result, { code: 0, stdout: "p-1\n" });
  });
});
