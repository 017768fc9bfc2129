import assert from "node:assert/strict";
import { pathsOf, projectFields } from "../../provider/model/projectFields.js";
import { isComparable } from "../../provider/model/projectFilter.js";
import { defaultNamespace, findInConfig } from "../../provider/settings/foundSettings.js";
import { settingKeys } from "../../provider/settings/settingsTable.js";
import { checkShape } from "../../sdk/reading/checkArguments.js";
import { getProject } from "../../sdk/index.js";
import { failureOf } from "../support/failure.js";
import { useCommandProcess } from "./commandProcess.js";

/** A word in which somebody has typed a letter twice. */
const mistyped = (word: string) => word.replace(/.$/, "$&$&");

describe("a mistyped name is named, together with the right one", () => {
  const command = useCommandProcess();

  async function assertNames(args: readonly string[], wrong: string, right: string): Promise<void> {
    const { code, stdout, stderr } = await command.run(args);
    assert.deepEqual([code, stdout], [args[0] === "run" ? 125 : 2, ""]);
    assert.ok(stderr.replaceAll('"', "").includes(`${wrong}. Did you mean ${right}?`), stderr);
  }

  it("for every command and option", async () => {
    const usage = (await command.run(["--help"])).stdout;
    const commands = [...usage.matchAll(/^ {2}([a-z]+) {2}/gm)].map(([, name = ""]) => name);
    assert.ok(commands.length >= 5);
    for (const name of commands) {
      await assertNames([mistyped(name)], mistyped(name), name);
      const help = (await command.run([name, "--help"])).stdout;
      const options = [...help.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, option = ""]) => option);
      assert.ok(options.length >= 3);
      for (const option of options) {
        await assertNames([name, mistyped(option), "x"], mistyped(option), option);
      }
    }
  });

  it("for every key of a filter, in commands and in programs", async () => {
    for (const key of pathsOf(projectFields, isComparable)) {
      await assertNames(["audit", "--filter", `${mistyped(key)}=x`], mistyped(key), key);
      const args = { details: true, filters: [{ key: mistyped(key), values: ["x"] }] };
      const check = () =>
        checkShape({ name: "getProjects", takesOutputs: false }, "isGetProjects", args);
      const { message } = await failureOf(check, "ARGUMENT_INVALID");
      assert.ok(message.includes(`"${mistyped(key)}". Did you mean ${key}? Known keys:`), message);
    }
  });

  it("for every setting, in the stack config and in a connection", async () => {
    for (const key of settingKeys) {
      const wrong = mistyped(key);
      const name = `${defaultNamespace}:${wrong}`;
      const { warnings } = findInConfig(defaultNamespace, { [name]: { value: "x" } });
      assert.ok(warnings.some((each) => each.includes(wrong) && each.includes(`mean ${key}?`)));
      const options = { connection: { [wrong]: "x" } };
      const read = getProject({ name: "shop" }, options as never);
      const { message } = await failureOf(read, "SETTINGS_INVALID");
      assert.ok(message.includes(wrong) && message.includes(`mean ${key}?`), message);
    }
  });
});
