/*
 * The files of a stack with the name "test". The tests make more than a hundred stacks, and the CLI
 * takes about a second to make one and to write its config. So the CLI makes one stack without
 * resources, and the others are copies of it. The copies also share its encryption key, which takes
 * the CLI 0.2 s to derive.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createCipheriv, pbkdf2, randomBytes } from "node:crypto";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { ConfigMap, PulumiCommand } from "@pulumi/pulumi/automation/index.js";

const run = promisify(execFile);

const passphrase = "correct horse battery staple";

/** Makes an empty backend in `directory` and returns the environment that selects it. */
export async function backendIn(directory: string): Promise<Record<string, string>> {
  const state = join(directory, ".state");
  await mkdir(state);
  return {
    PULUMI_BACKEND_URL: `file://${state}`,
    PULUMI_HOME: join(directory, ".home"),
    PULUMI_CONFIG_PASSPHRASE: passphrase,
    PULUMI_SKIP_UPDATE_CHECK: "true",
  };
}

const blankName = "blank";
const configFile = "Pulumi.test.yaml";
const stateFile = (backend: string, project: string) =>
  join(backend, ".pulumi/stacks", project, "test.json");

/** Makes a stack without resources, in a new folder. */
export async function makeBlankStack(directory: string, { command }: PulumiCommand): Promise<void> {
  await mkdir(directory);
  await writeFile(join(directory, "Pulumi.yaml"), `name: ${blankName}\nruntime: nodejs\n`);
  const env = { ...process.env, ...(await backendIn(directory)) };
  await run(command, ["stack", "init", "test"], { cwd: directory, env });
}

/** Returns the text of a stack's state. An export would take longer. */
export async function readState(
  directory: string,
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  return readFile(stateFile(backendOf(environment), await projectName(directory)), "utf8");
}

function backendOf(environment: Readonly<Record<string, string>>): string {
  return environment["PULUMI_BACKEND_URL"]?.replace("file://", "") ?? assert.fail();
}

/** Copies the stack in `blank` for the Pulumi project in `directory`. */
export async function copyBlankStack(
  blank: string,
  directory: string,
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  const name = await projectName(directory);
  const backend = backendOf(environment);
  await mkdir(join(backend, ".pulumi/stacks", name), { recursive: true });
  await cp(join(blank, ".state/.pulumi/meta.yaml"), join(backend, ".pulumi/meta.yaml"));
  const state = await readFile(stateFile(join(blank, ".state"), blankName), "utf8");
  const stackName = (project: string) => `"organization/${project}/test"`;
  assert.ok(state.includes(stackName(blankName)), state);
  await writeFile(stateFile(backend, name), state.replace(stackName(blankName), stackName(name)));
  await cp(join(blank, configFile), join(directory, configFile));
}

/** Writes the config of a copy of the stack in `blank`. A key without a namespace has the project's. */
export async function writeConfig(
  blank: string,
  directory: string,
  config: ConfigMap,
): Promise<void> {
  const name = await projectName(directory);
  const written: Record<string, unknown> = {};
  for (const [key, { value, secret }] of Object.entries(config)) {
    written[key.includes(":") ? key : `${name}:${key}`] =
      secret === true ? { secure: await encrypted(blank, value) } : value;
  }
  const salt = await readFile(join(blank, configFile), "utf8");
  // JSON is YAML.
  await writeFile(join(directory, configFile), `${salt}config: ${JSON.stringify(written)}\n`);
}

async function projectName(directory: string): Promise<string> {
  const file = await readFile(join(directory, "Pulumi.yaml"), "utf8");
  return /^name: *(\S+)$/m.exec(file)?.[1] ?? assert.fail(`Pulumi.yaml has no name:\n${file}`);
}

/** Encrypts a secret as Pulumi does with a passphrase. The CLI would derive the key for each secret. */
async function encrypted(blank: string, secret: string): Promise<string> {
  key ??= deriveKey(blank);
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", await key, nonce);
  const text = Buffer.concat([cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
  return `v1:${nonce.toString("base64")}:${text.toString("base64")}`;
}

/** The key of the stacks of this process: all are copies of one. */
let key: Promise<Buffer> | undefined;

async function deriveKey(blank: string): Promise<Buffer> {
  const file = await readFile(join(blank, configFile), "utf8");
  const [, salt = ""] = /^encryptionsalt: v1:([^:]+):/m.exec(file) ?? assert.fail(file);
  return promisify(pbkdf2)(passphrase, Buffer.from(salt, "base64"), 1_000_000, 32, "sha256");
}
