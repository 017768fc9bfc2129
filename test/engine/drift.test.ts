import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Sandbox, sampleProjects } from "../support/testSandbox.js";
import { fleetImports, SnapshotStack, useSnapshotStack } from "../support/snapshotStack.js";
import { credentialsIn, LeakSearch, secretsOf } from "../support/leakSearch.js";
import { type CommandResult, resultOf, run, useWorkbench } from "../support/workbench.js";
import { type DriftCase, driftCases, recordings, type Recording } from "./driftCases.js";

/** Runs the installed command in the folder of a stack. Searches what it prints for secrets. */
async function lookAt(stack: SnapshotStack): Promise<CommandResult> {
  const { directory, environment } = stack.project;
  const env = { ...process.env, ...environment, PULUMI_STACK: "test" };
  const bin = join(stack.workbench.directory, "node_modules/.bin/pulumi-project-service");
  const result = await resultOf(run(bin, ["drift"], { cwd: directory, env }));
  const search = new LeakSearch([
    ...[stack.sandbox, ...stack.otherSandboxes].flatMap(secretsOf),
    ...credentialsIn(sampleProjects()),
  ]);
  search.text("pulumi-project-service drift", result.stdout + result.stderr);
  return result;
}

const setProgram = ({ project }: SnapshotStack, text: string) =>
  writeFile(join(project.directory, "index.ts"), text);

describe("pulumi-project-service drift on the real engine", () => {
  const stack = useSnapshotStack();

  it("finds changes of recorded fields only, and other fields are a change of the program", async () => {
    const recording = (fields: string) =>
      `${fleetImports}
const { projects } = new ProjectsSnapshot("fleet", { ${fields}, includeCredentials: true });
export const webroot = projects.apply((all) => all["p-1"]?.environments[0]?.webroot);
`;
    const webroot = 'fields: ["environments.webroot"]';
    await stack.startWithThree("drift-fields", recording(webroot));
    const recorded = await stack.recorded();
    assert.deepEqual(
      Object.values(recorded.projects).map((project) => Object.keys(project).sort()),
      Array(3).fill(["environments", "missingFields", "name", "projectId"]),
    );
    assert.deepEqual(Object.keys(recorded.projects["p-1"]!.environments[0]!).sort(), [
      "environmentId",
      "missingFields",
      "order",
      "webroot",
    ]);
    assert.ok(recorded.credentials);

    const [shop, blog] = stack.sandbox.projects;
    shop!.projectEnvironments[0]!.projectEnvironmentCode.webroot = "/srv/shop";
    blog!.domain = "other.example.com";
    const line =
      "shop (p-1)  live  webroot  /var/www/shop/live/current/public → /srv/shop\n\n" as const;
    const drift =
      "Drift: 1 change in 1 project. If this is all right, pulumi up records it.\n" as const;
    const changed = await lookAt(stack);
    assert.equal(changed.code, 7, changed.stderr);
    assert.equal(changed.stdout, `${line}${drift}`);

    const more = 'fields: ["environments.webroot", "domain", "environments.databases"]';
    await setProgram(stack, recording(more));
    const widened = await lookAt(stack);
    assert.equal(widened.code, 7, widened.stderr);
    const program =
      'Changes to the program, no drift:\nProjectsSnapshot fleet: fields ["environments.webroot"] → ["environments.webroot","domain","environments.databases"]\n\n';
    assert.equal(widened.stdout, `${line}${program}${drift}`);

    assert.doesNotMatch(await stack.up(), /replac|creat|delet/);
    assert.equal((await lookAt(stack)).code, 0);
    blog!.domain = "third.example.com";
    blog!.status = "NOT_RECORDED";
    await stack.refresh();
    const refreshed = (await stack.recorded()).projects["p-2"] as { domain?: string };
    assert.equal(refreshed.domain, "third.example.com");
    assert.equal(Object.hasOwn(refreshed, "status"), false);

    stack.sandbox.forbiddenProjectIds.add("p-2");
    const forbidden = await lookAt(stack);
    assert.deepEqual([forbidden.code, forbidden.stdout], [2, ""]);
    assert.match(forbidden.stderr, /FORBIDDEN[^]*p-2/);
  });
});

describe("what drift prints for each case, on the real engine", () => {
  for (const recording of Object.keys(recordings) as Recording[]) {
    describe(recording, () => {
      const stack = new SnapshotStack();
      before(async function () {
        stack.workbench = await useWorkbench(this);
        await stack.begin();
        stack.sandbox.projects = sampleProjects().slice(0, 3);
        await stack.start(`drift-of-${recording}`, recordings[recording]);
        await stack.up();
      });
      after(() => stack.end());

      for (const each of driftCases.filter(({ recorded }) => recorded === recording)) {
        it(`ends with ${each.exitCode}: ${each.name}`, async () => {
          await prepare(stack, each);
          const { code, stdout, stderr } = await lookAt(stack);
          assert.equal(code, each.exitCode, stdout + stderr);
          if (code === 2) {
            assert.equal(stdout, "");
            assert.match(stderr, /^Could not look for drift: /m);
          } else assert.match(stdout, code === 7 ? /^Drift: \d+ change/m : /^No drift: /m);
          const printed = withDocumentedAddresses(stack, code === 2 ? stderr : stdout);
          for (const line of each.lines) assert.ok(hasLine(printed, line), `${line}\n${printed}`);
        });
      }
    });
  }
});

/** Makes the service, the program and the settings as they were recorded, and then changes them. */
async function prepare(stack: SnapshotStack, each: DriftCase): Promise<void> {
  const { sandbox } = stack;
  sandbox.projects = sampleProjects().slice(0, 3);
  sandbox.forbiddenProjectIds.clear();
  await each.change?.(sandbox);
  await setProgram(stack, each.program ?? recordings[each.recorded]);
  if (each.namesOtherService) stack.otherSandboxes.push(await stack.startSandbox());
  const named = each.namesOtherService ? stack.otherSandboxes[0]! : sandbox;
  await stack.project.configure(named);
}

/** Replaces the addresses of the sandboxes, which have another port each time. */
function withDocumentedAddresses({ sandbox, otherSandboxes }: SnapshotStack, text: string): string {
  const replaced = (before: string, { connection }: Sandbox, documented: string) => {
    const { origin, host } = new URL(connection.baseUrl);
    return before.replaceAll(origin, `https://${documented}`).replaceAll(host, documented);
  };
  const [other] = otherSandboxes;
  const result = replaced(text, sandbox, "projects.example.com");
  return other === undefined ? result : replaced(result, other, "other.example.com");
}

/** Pulumi begins the line of an error with `error: `, or prints that before the line. */
function hasLine(text: string, line: string): boolean {
  const lines = text
    .split("\n")
    .map((each) => each.replace(/^error: (?=ProjectServiceError)/, "").replace(/ {2,}/g, "  "));
  const start = line.endsWith("…") ? line.slice(0, -1) : undefined;
  return lines.some((each) => (start ? each.startsWith(start) : each === line));
}
