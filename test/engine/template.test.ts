import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdir, readFile, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { useEngine } from "../support/engineTest.js";
import { assertHoldsNone } from "../support/leakSearch.js";
import { toolOrSkip } from "../support/toolOrSkip.js";
import { backendIn } from "../support/stackFiles.js";
import { pathTo, run, tarballOf } from "../support/workbench.js";

const template = "node_modules/pulumi-project-service/templates/project-service-typescript";
const newProject = ["new", template, "--offline", "--force", "--name", "hosting"];

describe("the template, with the real engine", () => {
  const engine = useEngine({ sandboxFor: "suite" });

  /** A folder of a user. */
  class UserFolder {
    private constructor(
      readonly directory: string,
      readonly environment: NodeJS.ProcessEnv,
    ) {}

    static async create(name: string): Promise<UserFolder> {
      // Beside the workbench and not in it: Node also looks for packages in the folders above.
      const directory = join(dirname(engine.workbench.directory), name);
      const backend = join(dirname(engine.workbench.directory), `${name}-backend`);
      await mkdir(directory);
      await mkdir(backend);
      const environment = {
        ...process.env,
        ...(await backendIn(backend)),
        PATH: pathTo(engine.workbench.pulumi),
        NO_COLOR: "1",
      };
      return new UserFolder(directory, environment);
    }

    async installTarball(): Promise<void> {
      const options = ["--no-audit", "--no-fund", "--loglevel=error"];
      await this.run("npm", "install", ...options, await tarballOf(engine.workbench));
    }

    async run(program: string, ...args: string[]): Promise<string> {
      const options = { cwd: this.directory, env: this.environment };
      return (await run(program, args, options)).stdout;
    }

    /** Runs a command with a text on its standard input. */
    async runWithInput(input: string, program: string, ...args: string[]): Promise<void> {
      const running = run(program, args, { cwd: this.directory, env: this.environment });
      running.child.stdin?.end(input);
      await running;
    }

    /**
     * Runs a command on a terminal and types the answer to each question when the question appears.
     *
     * @returns the text on the terminal.
     */
    async runOnTerminal(command: string, answers: Record<string, string>): Promise<string> {
      const child = spawn("script", ["-qec", command, "/dev/null"], {
        cwd: this.directory,
        // Pulumi asks other kinds of terminals for their colours, and waits for the response.
        env: { ...this.environment, TERM: "screen" },
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

    readFile(name: string): Promise<string> {
      return readFile(join(this.directory, name), "utf8");
    }

    async assertUpWorks(): Promise<void> {
      const shown = await this.run("pulumi", "up", "--yes", "--skip-preview");
      const outputs = await this.run("pulumi", "stack", "output", "--json");
      assert.deepEqual(JSON.parse(outputs), { domain: "shop.example.com", url: "[secret]" });
      const url = new URL(await this.run("pulumi", "stack", "output", "url", "--show-secrets"));
      assert.equal(url.pathname, "/shop_live");
      assert.equal(decodeURIComponent(url.password), engine.liveDatabase().password);

      const secrets = engine.secrets();
      assertHoldsNone("the output of pulumi up", shown, secrets);
      assertHoldsNone("the state", await this.run("pulumi", "stack", "export"), secrets);
    }
  }

  it("asks for the settings on a terminal, encrypts the password, and makes a program that works", async function () {
    await toolOrSkip(this, async () => {
      const { stdout } = await run("script", ["--version"]);
      assert.match(stdout, /util-linux/);
    });
    const folder = await UserFolder.create("template-asks");
    await folder.installTarball();
    const { baseUrl, authUrl, realm, clientId, username, password } = engine.sandbox.connection;
    const command = ["pulumi", ...newProject, "--description", "Hosting", "--stack", "dev"];
    const shown = await folder.runOnTerminal(command.join(" "), {
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

    const config = await folder.readFile("Pulumi.dev.yaml");
    assert.match(config, /project-service:password:\n +secure: v1:/);
    assert.ok(!config.includes(password));
    assert.match(config, new RegExp(`project-service:baseUrl: ${baseUrl}`));
    assert.match(config, /hosting:environment: live/);
    await folder.assertUpWorks();
  });

  it("makes a program without a terminal, which works after `pulumi config set --secret`", async () => {
    const folder = await UserFolder.create("template-generates");
    // The other test installs the packages of the template. That takes 10 s.
    const packages = join(engine.workbench.directory, "node_modules");
    await symlink(packages, join(folder.directory, "node_modules"), "junction");
    await folder.run("pulumi", ...newProject, "--generate-only", "--yes");
    await folder.run("pulumi", "stack", "init", "dev");
    const { password, ...others } = engine.sandbox.connection;
    const settings = [
      ...Object.entries(others).map(([key, value]) => `project-service:${key}=${value}`),
      ...["project=shop", "environment=live", "database=shop_live"],
    ];
    const options = settings.flatMap((setting) => ["--plaintext", setting]);
    await folder.run("pulumi", "config", "set-all", ...options);
    const setPassword = ["config", "set", "--secret", "project-service:password"];
    await folder.runWithInput(`${password}\n`, "pulumi", ...setPassword);
    assert.ok(!(await folder.readFile("Pulumi.dev.yaml")).includes(password));
    // npm packs no file with the name .gitignore.
    assert.equal(await folder.readFile(".gitignore"), "node_modules/\n");
    assert.equal(
      (JSON.parse(await folder.readFile("package.json")) as { name: string }).name,
      "hosting",
    );
    await folder.assertUpWorks();
  });
});
