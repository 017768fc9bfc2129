import assert from "node:assert/strict";
import type { ProjectFilter } from "../../../provider/model/projectFilter.js";
import { getProjectService } from "../../../provider/reading/projectService.js";
import { withoutCredentials } from "../../../provider/wire/credentials.js";
import { failureOf } from "../../support/failure.js";
import { type FleetServer, startFleetServer } from "../../support/fleetServer.js";
import { setAt } from "../../support/project.js";
import { settingsOf } from "../../support/settings.js";

describe("a filter by a field that a response lacks", () => {
  let server: FleetServer;
  before(async () => {
    server = await startFleetServer(2);
  });
  beforeEach(() => server.reset());

  const service = () => getProjectService(settingsOf({ ...server.connection }));
  const read = (filters: ProjectFilter[], onInaccessible: "fail" | "skip" = "fail") =>
    service().readProjects(filters, withoutCredentials, { onInaccessible });
  /** Changes the first project. `undefined` removes the key. */
  const change = (path: string, value?: unknown) => setAt(server.projects[0], path, value);

  const group: ProjectFilter = { key: "codeRepository.group", values: ["marketing"] };
  const webroot: ProjectFilter = { key: "environments.webroot", values: ["/none"] };
  const databaseType: ProjectFilter = {
    key: "environments.databases.databaseType",
    values: ["ORACLE"],
  };
  const code = "projectEnvironments[0].projectEnvironmentCode";
  const databases = "projectEnvironments[0].projectEnvironmentDatabases";

  const undecided: [what: string, path: string, filter: ProjectFilter][] = [
    ["the field is absent", "codeRepository.group", group],
    ["an object on the way is absent", "codeRepository", group],
    ["a field of one environment is absent", `${code}.webroot`, webroot],
    ["an object of one environment is absent", code, webroot],
    ["a list is absent", `${databases}.databases`, databaseType],
    ["all environments are absent", "projectEnvironments", databaseType],
  ];
  for (const [what, path, filter] of undecided) {
    it(`cannot decide if ${what}`, async () => {
      change(path);
      const { message } = await failureOf(read([filter]), "RESPONSE_INVALID");
      assert.match(
        message,
        new RegExp(`project p-1 failed: .* it lacks ${filter.key}, which a filter needs`),
      );
      assert.match(message, /Correct the project in the service, or filter in the program\./);
      if (filter !== group) return;
      // The other project can be read.
      const { inaccessible, projects } = await read([filter], "skip");
      assert.deepEqual(inaccessible, [{ projectId: "p-1", code: "RESPONSE_INVALID" }]);
      assert.equal(projects.length, 1);
    });
  }

  const decided: [what: string, prepare: () => void, filters: ProjectFilter[]][] = [
    ["it is null", () => change("codeRepository.group", null), [group]],
    ["an object on the way is null", () => change("codeRepository", null), [group]],
    [
      "another filter excludes the project",
      () => change("codeRepository"),
      [group, { key: "hasCode", values: ["false"] }],
    ],
    [
      "the project has no such part",
      () => {
        change(databases);
        change("hasDatabases", false);
      },
      [databaseType],
    ],
    ...(["codeRepository", `${code}.branch`] as const).map((path): (typeof decided)[number] => [
      `the project has no such part, and ${path} is empty`,
      () => {
        change(path, {});
        change("hasCode", false);
      },
      [path === "codeRepository" ? group : { ...group, key: "environments.branch.name" }],
    ]),
  ];
  for (const [what, prepare, filters] of decided) {
    it(`decides if ${what}`, async () => {
      prepare();
      const { projects, inaccessible } = await read(filters);
      assert.ok(projects.every(({ projectId }) => projectId !== "p-1"));
      assert.deepEqual(inaccessible, []);
    });
  }

  it("decides if another element matches", async () => {
    change(`${code}.webroot`);
    const stage = server.projects[0]!.projectEnvironments[1]!.projectEnvironmentCode.webroot;
    const { projects } = await read([{ ...webroot, values: [stage] }]);
    assert.deepEqual(
      projects.map(({ projectId }) => projectId),
      ["p-1"],
    );
  });

  it("leaves it to the full form if the list lacks it, or asks for details", async () => {
    const [shop] = server.projects;
    const filters: ProjectFilter[] = [{ key: "type", values: [shop!.type] }];
    for (const type of [null, undefined]) {
      server.listForms.set("p-1", { ...shop, type });
      const { projects } = await read(filters);
      assert.equal(projects[0]?.projectId, "p-1");
      const { message } = await failureOf(service().listProjects(filters), "RESPONSE_INVALID");
      assert.match(message, /The list omits type of project p-1, .* pass details: true/);
    }
  });
});
