import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readPulumi } from "../../command/pulumi.js";
import { failureOf } from "../support/failure.js";
import { assertHoldsNone } from "../support/leakSearch.js";
import { type Project, resultOf, run, useWorkbench, type Workbench } from "../support/workbench.js";

const secret = "c4nary-passw0rd-s3cret";

const backends = [
  `postgres://u:${secret}@127.0.0.1:1/db`,
  `azblob://state?storage_account=a&sas=${secret}`,
  `s3://state?endpoint=127.0.0.1:1&secret=${secret}`,
  `gs://state?access_id=${secret}`,
  `file:///nowhere/${secret}`,
  `https://u:${secret}@127.0.0.1:1`,
  `mongo://u:${secret}@127.0.0.1:1/db`,
];

/** Mistakes in the file of a stack, as changes to its text. */
const mistakes: Readonly<Record<string, (file: string) => string>> = {
  "an alias": (file) => `${file}  project-service:password: *${secret}\n`,
  "an anchor of that name": (file) => file.replace("config:", `config: &${secret} *${secret}`),
  "another indentation": (file) => `${file}     ${secret}: a\n`,
  "a tab": (file) => `${file}\t${secret}: a\n`,
  "a key twice": (file) => `${file}  hosting:${secret}: a\n  hosting:${secret}: a\n`,
  "a key of no namespace": (file) => `${file}  a:b:${secret}: a\n`,
  "no colon": (file) => `${file}  project-service:password ${secret}\n`,
  "an open quotation mark": (file) => `${file}  project-service:password: "${secret}\n`,
  "a wrong type": (file) => `${file}  project-service:password: !!int ${secret}\n`,
  "a broken secure value": (file) => `${file}  a:b:\n    secure: ${secret}\n`,
};

describe("an error of Pulumi that contains a secret", () => {
  let workbench: Workbench;
  let project: Project;
  before(async function () {
    workbench = await useWorkbench(this);
    project = await workbench.project("broken", { program: "" });
  });

  /** Checks what commands say of the error: all of them call this function. */
  async function assertNotQuoted(changes: Record<string, string> = {}): Promise<void> {
    const args = ["config", "--json", "--show-secrets"];
    const { env } = process;
    process.env = { ...env, ...project.environment, ...changes };
    const running = readPulumi(args, project.directory, "test", "do without");
    process.env = env;
    const { message } = await failureOf(running, "SETTINGS_INVALID");
    assertHoldsNone("the failure", `${message} `, [secret]);
    assert.match(message, / failed: (Pulumi says "|it exited with 255\. Its output )/);
  }

  for (const backend of backends) {
    it(`is not quoted: the backend ${backend.replaceAll(secret, "…")}`, () =>
      assertNotQuoted({ PULUMI_BACKEND_URL: backend }));
  }

  it("is not quoted: the backend in Pulumi.yaml", async () => {
    const file = join(project.directory, "Pulumi.yaml");
    const text = await readFile(file, "utf8");
    await writeFile(file, `${text}backend:\n  url: ${backends[0]}\n`);
    await assertNotQuoted({ PULUMI_BACKEND_URL: "" }).finally(() => writeFile(file, text));
  });

  for (const [mistake, change] of Object.entries(mistakes)) {
    it(`is not quoted: ${mistake} in the file of the stack`, async () => {
      const file = join(project.directory, "Pulumi.test.yaml");
      const text = `${(await readFile(file, "utf8")).replace(/config:[^]*/, "")}config:\n  a:a: a\n`;
      await writeFile(file, change(text));
      await assertNotQuoted().finally(() => writeFile(file, text));
    });
  }

  it("is quoted by no command", async () => {
    const bin = join(workbench.directory, "node_modules/.bin/pulumi-project-service");
    const env = { ...process.env, ...project.environment, PULUMI_BACKEND_URL: backends[0] };
    const options = { cwd: project.directory, env };
    const commands = ["check", "audit", "export", "drift"].map(async (command) => {
      const { code, stdout, stderr } = await resultOf(run(bin, [command], options));
      assert.equal(code, command === "check" ? 1 : 2);
      assertHoldsNone(command, stdout + stderr, [secret]);
      assert.match(
        stdout + stderr,
        /pulumi (config|stack export) in \S+ failed: it exited with 255\. Its output can contain secrets: run it there to see why/,
      );
    });
    await Promise.all(commands);
  });
});
