import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import type { SandboxProject } from "../../sandbox/index.js";
import { useFastClock } from "../support/clock.js";
import { commandsIn } from "../support/logCommands.js";
import { setAt } from "../support/project.js";
import { useCommandProcess } from "./commandProcess.js";

const credentialKeys = ["username", "password", "importRepository"];

describe("pulumi-project-service export", () => {
  useFastClock();
  const command = useCommandProcess();

  async function exported(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await command.run(["export", ...args]);
    assert.deepEqual([code, stderr], [0, ""]);
    return stdout;
  }

  const parse = (json: string) => JSON.parse(json) as SandboxProject[];

  it("has every described field as the service sent it, sorted, and no credential", async () => {
    const text = await exported();
    const { projects } = command.sandbox;
    projects.sort((a, b) => (a._id < b._id ? -1 : 1));
    for (const { projectEnvironments } of projects) {
      for (const { projectEnvironmentDatabases } of projectEnvironments) {
        projectEnvironmentDatabases.databases.sort((a, b) => (a.name < b.name ? -1 : 1));
      }
    }
    const withoutCredentials = (key: string, value: unknown) =>
      credentialKeys.includes(key) ? undefined : value;
    assert.deepEqual(parse(text), parse(JSON.stringify(projects, withoutCredentials)));
    assert.equal(text, `${JSON.stringify(parse(text), undefined, 2)}\n`);
  });

  it("has nothing of what the document of the service does not describe, at any level", async () => {
    const described = await exported();
    for (const project of command.sandbox.projects) addUnknown(project);
    assert.equal(await exported(), described);
  });

  it("is the same text again, for another order too, and for a sandbox that serves it", async () => {
    const { sandbox } = command;
    const [shop] = sandbox.projects;
    // Fields that a response may lack, and JSON of undocumented shape.
    const environment = ["projectEnvironments", 0];
    setAt(shop, ["hasCode"], undefined);
    setAt(shop, ["domain"], null);
    setAt(shop, [...environment, "symLinks"], undefined);
    setAt(shop, [...environment, "projectEnvironmentAssets"], null);
    setAt(shop, [...environment, "projectEnvironmentCode", "initialized"], {
      b: [{ d: 1, c: null }],
      a: 0,
    });
    setAt(sandbox.projects[1], ["projectEnvironments"], undefined);
    const text = await exported();
    assert.match(text, /"initialized": \{\s+"a": 0,\s+"b": \[\s+\{\s+"c": null,\s+"d": 1\s/);
    const first = parse(text).find(({ _id }) => _id === shop?._id);
    assert.ok(first !== undefined && !("hasCode" in first) && !("domain" in first));
    sandbox.projects = reversed(sandbox.projects) as SandboxProject[];
    assert.equal(await exported(), text);
    sandbox.projects = parse(text);
    assert.equal(await exported(), text);
  });

  it("writes the projects that a filter selects into a file, and says so", async () => {
    const args = ["export", "--filter", "name=shop", "--output", "shop.json"];
    const { code, stdout, stderr } = await command.run(args);
    assert.deepEqual([code, stdout, stderr], [0, "", "1 project written to shop.json.\n"]);
    const projects = parse(await readFile(command.pathOf("shop.json"), "utf8"));
    const names = projects.map(({ name }) => name);
    assert.deepEqual(names, ["shop"]);
    assert.equal(command.sandbox.counters.projectReads, 1);
  });

  it("prints no command of a log and no invisible character, and JSON all the same", async () => {
    const name = "##vso[x]\u202e::debug::";
    command.sandbox.projects[0]!.name = name;
    const text = await exported();
    assert.deepEqual(commandsIn(text), []);
    assert.ok(!text.includes("\u202e"));
    assert.ok(parse(text).some((project) => project.name === name));
  });

  it("writes nothing if it is not everything", async () => {
    const { sandbox } = command;
    async function assertFails(args: string[], message: RegExp): Promise<void> {
      const { code, stdout, stderr } = await command.run(["export", "--output", "x.json", ...args]);
      assert.deepEqual([code, stdout, await readdir(command.directory)], [2, "", []]);
      assert.match(stderr, message);
    }
    await assertFails(["--filter", "name=shpo"], /so there is nothing to export\./);
    sandbox.forbiddenProjectIds.add("p-3");
    await assertFails([], /1 of 12 projects failed: p-3 \(FORBIDDEN\)\. Nothing was written/);
    sandbox.forbiddenProjectIds.clear();
    sandbox.failNext({ status: 503, times: 20, path: /p-7$/ });
    await assertFails([], /Reading project p-7 failed.*503/);
  });
});

/** Adds a field to each object that the document describes, and another credential in place of each one. */
function addUnknown(node: unknown): void {
  if (Array.isArray(node)) node.forEach(addUnknown);
  else if (typeof node === "object" && node !== null) {
    for (const [key, value] of Object.entries(node)) {
      if (credentialKeys.includes(key)) setAt(node, [key], "c4nary");
      else addUnknown(value);
    }
    Object.assign(node, { c4nary: "c4nary", token: { secret: ["c4nary"] } });
  }
}

/** Returns JSON with the lists of objects and the keys of objects in reverse. */
function reversed(node: unknown): unknown {
  if (typeof node !== "object" || node === null) return node;
  if (Array.isArray(node)) return typeof node[0] === "string" ? node : node.map(reversed).reverse();
  const entries = Object.entries(node).map(([key, value]) => [key, reversed(value)] as const);
  return Object.fromEntries(entries.reverse());
}
