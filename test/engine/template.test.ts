import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { useEngine } from "../support/engineTest.js";
import { assertHoldsNone } from "../support/leakSearch.js";
import { toolOrSkip } from "../support/toolOrSkip.js";
import { backendIn } from "../support/stackFiles.js";
import { pathTo, run, tarballOf } from "../support/workbench.js";

const template = "node_modules/pulumi-project-service/templates/project-service-typescript";
const newProject = `pulumi new ${template} --offline --force --name hosting --description Hosting --stack dev`;

describe("the template, with the real engine", () => {
  const engine = useEngine({ sandboxFor: "suite" });
  let directory: string;
  let env: NodeJS.ProcessEnv;

  const runHere = async (program: string, ...args: string[]) =>
    (await run(program, args, { cwd: directory, env })).stdout;
  const read = (name: string) => readFile(join(directory, name), "utf8");

  /**
   * Runs a command on a terminal and types the answer to each question when the question appears.
   *
   * @returns the text on the terminal.
   */
  async function runOnTerminal(command: string, answers: Record<string, string>): Promise<string> {
    const child = spawn("script", ["-qec", command, "/dev/null"], {
      cwd: directory,
      // Pulumi asks other kinds of terminals for their colours, and waits for the response.
      env: { ...env, TERM: "screen" },
    });
    const questions = new Map(Object.entries(answers));
    let shown = "";
    let answered = 0;
    child.stderr.on("data", (chunk: Buffer) => (shown += chunk.toString()));
    child.stdout.on("data", (chunk: Buffer) => {
      shown += chunk.toString();
      const unanswered = shown.slice(answered);
      const question = [...questions.keys()].find((each) => unanswered.includes(each));
      if (question === undefined) return;
      child.stdin.write(`${questions.get(question)}\r`);
      questions.delete(question);
      answered = shown.length;
    });
    const code = await new Promise((resolve) => child.on("close", resolve));
    assert.equal(code, 0, shown);
    assert.deepEqual([...questions.keys()], [], "Pulumi has asked all questions");
    return shown;
  }

  it("asks for the settings on a terminal, encrypts the password, and makes a program that works", async function () {
    await toolOrSkip(this, async () => {
      const { stdout } = await run("script", ["--version"]);
      assert.match(stdout, /util-linux/);
    });
    // Beside the workbench and not in it: Node also looks for packages in the folders above.
    directory = join(dirname(engine.workbench.directory), "template");
    await mkdir(directory);
    const backend = await backendIn(directory);
    env = { ...process.env, ...backend, PATH: pathTo(engine.workbench.pulumi), NO_COLOR: "1" };
    const options = ["--no-audit", "--no-fund", "--loglevel=error"];
    await runHere("npm", "install", ...options, await tarballOf(engine.workbench));

    const { baseUrl, authUrl, realm, clientId, username, password } = engine.sandbox.connection;
    const shown = await runOnTerminal(newProject, {
      "(project-service:baseUrl)": baseUrl,
      "(project-service:authUrl)": authUrl,
      "(project-service:realm)": realm,
      "(project-service:clientId)": clientId,
      "(project-service:username)": username,
      "(project-service:password)": password,
      "(project)": "shop",
      "(environment) (live)": "",
      "(database)": "shop_live",
    });
    assert.ok(!shown.includes(password), "the terminal does not show the password");
    const config = await read("Pulumi.dev.yaml");
    assert.match(config, /project-service:password:\n +secure: v1:/);
    assert.match(config, new RegExp(`project-service:baseUrl: ${baseUrl}`));
    assert.match(config, /hosting:environment: live/);
    assert.equal((JSON.parse(await read("package.json")) as { name: string }).name, "hosting");
    // npm packs no file with the name .gitignore.
    assert.equal(await read(".gitignore"), "node_modules/\n");

    const printed = await runHere("pulumi", "up", "--yes", "--skip-preview");
    const outputs = await runHere("pulumi", "stack", "output", "--json");
    assert.deepEqual(JSON.parse(outputs), { domain: "shop.example.com", url: "[secret]" });
    const url = new URL(await runHere("pulumi", "stack", "output", "url", "--show-secrets"));
    assert.equal(url.pathname, "/shop_live");
    assert.equal(decodeURIComponent(url.password), engine.liveDatabase().password);
    assertHoldsNone("what pulumi up prints", printed, engine.secrets());
    assertHoldsNone("the state", await runHere("pulumi", "stack", "export"), engine.secrets());
  });
});
