import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { useEngine } from "../support/engineTest.js";
import { assertHoldsNone } from "../support/leakSearch.js";
import { type Project, resultOf, run } from "../support/workbench.js";

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
  const engine = useEngine({ sandboxFor: "suite" });
  let project: Project;
  before(async () => {
    project = await engine.workbench.project("broken", { program: "" });
  });

  /** Runs every command that runs Pulumi, and returns the first line of each message. */
  async function messages(changes: Record<string, string> = {}): Promise<string[]> {
    const bin = join(engine.workbench.directory, "node_modules/.bin/pulumi-project-service");
    const env = { ...process.env, ...project.environment, ...changes };
    const runs = ["check", "audit", "export", "drift"].map(async (command) => {
      const args = [command, "--stack", "test"];
      const { code, stdout, stderr } = await resultOf(
        run(bin, args, { cwd: project.directory, env }),
      );
      assert.equal(code, command === "check" ? 1 : 2);
      assertHoldsNone(command, stdout + stderr, [secret]);
      return /^.*(failed|drift): .*/m.exec(stdout + stderr)?.[0] ?? assert.fail(stdout + stderr);
    });
    return Promise.all(runs);
  }

  function assertHelp(lines: readonly string[]): void {
    const help =
      /Pulumi says "|pulumi (config|stack export) ended with 255\. To see why, run pulumi \1 --stack test in|drift: the state has no ProjectsSnapshot/;
    for (const line of lines) assert.match(line, help);
  }

  for (const backend of backends) {
    it(`is not quoted: the backend ${backend}`, async () => {
      assertHelp(await messages({ PULUMI_BACKEND_URL: backend }));
    });
  }

  it("is not quoted: the backend in Pulumi.yaml", async () => {
    const file = join(project.directory, "Pulumi.yaml");
    const text = await readFile(file, "utf8");
    await writeFile(file, `${text}backend:\n  url: ${backends[0]}\n`);
    assertHelp(await messages({ PULUMI_BACKEND_URL: "" }).finally(() => writeFile(file, text)));
  });

  for (const [mistake, change] of Object.entries(mistakes)) {
    it(`is not quoted: ${mistake} in the file of the stack`, async () => {
      const file = join(project.directory, "Pulumi.test.yaml");
      const text = `${(await readFile(file, "utf8")).replace(/config:[^]*/, "")}config:\n  a:a: a\n`;
      await writeFile(file, change(text));
      assertHelp(await messages().finally(() => writeFile(file, text)));
    });
  }
});
