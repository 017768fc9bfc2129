import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { startSandbox } from "../../sandbox/index.js";
import { defaultNamespace } from "../../provider/settings/findSettings.js";
import { projectSnapshotType, projectsSnapshotType } from "../../provider/snapshot/resources.js";
import { repository } from "../support/paths.js";

describe("names that users and stacks keep", () => {
  it("are the command, the namespace, the variables, the resource types and the template", async () => {
    const { bin } = JSON.parse(await readFile(join(repository, "package.json"), "utf8")) as {
      bin: object;
    };
    assert.deepEqual(Object.keys(bin), ["pulumi-project-service"]);
    assert.equal(defaultNamespace, "project-service");
    const type = "pulumi-nodejs:dynamic/project-service:Project";
    assert.deepEqual(
      [projectSnapshotType, projectsSnapshotType],
      [`${type}Snapshot`, `${type}sSnapshot`],
    );
    const sandbox = await startSandbox();
    await sandbox.close();
    assert.deepEqual(Object.keys(sandbox.environment).sort(), [
      "PROJECT_SERVICE_AUTH_URL",
      "PROJECT_SERVICE_BASE_URL",
      "PROJECT_SERVICE_CLIENT_ID",
      "PROJECT_SERVICE_PASSWORD",
      "PROJECT_SERVICE_REALM",
      "PROJECT_SERVICE_USERNAME",
    ]);
    assert.ok(existsSync(join(repository, "templates/project-service-typescript/Pulumi.yaml")));
  });
});
