import assert from "node:assert/strict";
import { inspect } from "node:util";
import { keptDeployments } from "../../../audit/builtInRules/keptDeployments.js";
import { restrictedDatabases } from "../../../audit/builtInRules/restrictedDatabases.js";
import {
  recordedProjects,
  auditProject,
  builtInRules,
  type ProjectToCheck,
} from "../../../audit/policies.js";
import { projectSnapshotType, projectsSnapshotType } from "../../../provider/snapshot/resources.js";
import { mapProject } from "../../../provider/wire/mapping.js";
import { credentialMapper } from "../../../sdk/reading/secretCredentials.js";
import { failureOf } from "../../support/failure.js";
import { LeakSearch } from "../../support/leakSearch.js";
import { mappedProject, recordsOf, setAt, wireProject } from "../../support/project.js";

const canary = "canary-of-a-credential";
const shop = mappedProject();

/** Returns the project that rules receive, as a plain object: proxies are not deeply equal to one. */
function received(project: ProjectToCheck): unknown {
  return JSON.parse(JSON.stringify(recordedProjects(projectSnapshotType, project)[0]));
}

/** A project with credentials at all the places where a result or a state can have them. */
function withCredentials(): ProjectToCheck {
  return {
    ...shop,
    codeRepository: { ...shop.codeRepository, importRepository: { url: canary } },
    environments: shop.environments.map((environment) => ({
      ...environment,
      databases: environment.databases.map((database) => ({
        ...{ ...database, username: canary, password: canary },
      })),
    })),
    credentials: { databases: { live: [{ password: canary }] }, importRepository: canary },
    __provider: canary,
  } as ProjectToCheck;
}

describe("the project that rules receive", () => {
  it("has every field of the project, and no credential", () => {
    assert.deepEqual(received(withCredentials()), JSON.parse(JSON.stringify(shop)));
  });

  it("has no credential of a result of getProject, and reads none", () => {
    const project = mapProject(wireProject(), credentialMapper(true, false));
    Object.defineProperty(project.environments[0]?.databases[0], "password", {
      enumerable: true,
      get: () => assert.fail("a credential was read"),
    });
    assert.deepEqual(received(project), JSON.parse(JSON.stringify(shop)));
  });

  for (const [title, change] of [
    ["no project", { projectId: undefined }],
    ["environments without an id", { environments: [{}] }],
    ["a list that is an object", { environments: [{ environmentId: "live", symLinks: {} }] }],
  ] as const) {
    it(`is refused if it has ${title}, because it could pass otherwise`, async () => {
      const wrong = { ...shop, ...change } as unknown as ProjectToCheck;
      const { message } = await failureOf(() => auditProject(wrong, []), "ARGUMENT_INVALID");
      assert.match(message, /the object is not a project/);
    });
  }
});

describe("recordedProjects", () => {
  it("returns the projects of both snapshots without credentials, and none of another resource", () => {
    const blog = { ...withCredentials(), projectId: "constructor", name: "blog" };
    const fleet = {
      projects: recordsOf({ "p-1": withCredentials(), constructor: blog }),
      inaccessible: [],
      credentials: { "p-1": { databases: { live: [{ password: canary }] } } },
    };
    const projects = [
      ...recordedProjects(projectSnapshotType, withCredentials()),
      ...recordedProjects(projectsSnapshotType, fleet),
    ];
    const names = projects.map(({ name }) => name);
    assert.deepEqual(names, ["shop", "shop", "blog"]);
    new LeakSearch([canary]).text("the projects", inspect(projects, { depth: null }));
    assert.deepEqual(recordedProjects("aws:s3/bucket:Bucket", { projectId: "p-1" }), []);
  });

  it("returns an inaccessible project, which violates readable-project and is checked by no other rule", () => {
    const props = { projects: {}, inaccessible: [{ projectId: "p-2", code: "FORBIDDEN" }] };
    const [project] = recordedProjects(projectsSnapshotType, props);
    const [finding, ...others] = auditProject(project!, builtInRules());
    assert.deepEqual(others, []);
    const { rule, state, level, projectId, subject } = finding!;
    assert.deepEqual([rule, state, level], ["readable-project", "violated", "error"]);
    assert.deepEqual([projectId, subject], ["p-2", "FORBIDDEN"]);
    // With keep, a snapshot keeps the earlier record of such a project.
    const kept = { ...props, projects: recordsOf({ "p-2": withCredentials() }) };
    assert.deepEqual(recordedProjects(projectsSnapshotType, kept), [project]);
  });

  it("refuses a snapshot that records no project, which would pass otherwise", async () => {
    await failureOf(() => recordedProjects(projectSnapshotType, {}), "ARGUMENT_INVALID");
    for (const props of [
      {},
      { projects: {} },
      { projects: { "p-1": null }, inaccessible: [] },
      { projects: { "p-1": shop }, inaccessible: [] },
      { projects: {}, inaccessible: [{}] },
    ]) {
      await failureOf(() => recordedProjects(projectsSnapshotType, props), "ARGUMENT_INVALID");
    }
  });
});

describe("a record of a ProjectsSnapshot with fields", () => {
  it("lacks the other fields, and rules that read none of them find the same as in the whole project", () => {
    const broken = mappedProject((project) => {
      setAt(project, ["projectEnvironments", 1, "projectEnvironmentCode"], undefined);
    });
    const fields = ["environments.databases", "hasDatabases", "hasCode"] as const;
    const props = { projects: recordsOf({ "p-1": broken }, fields), inaccessible: [], fields };
    const [recorded] = recordedProjects(projectsSnapshotType, props);
    const rules = [restrictedDatabases()];
    assert.deepEqual(auditProject(recorded!, rules), auditProject(broken, rules));
    const states = auditProject(recorded!, [keptDeployments()]).map(
      ({ state, subject }) => `${state} ${subject}`,
    );
    assert.deepEqual(states, Array(3).fill("undecided missing deploymentsToKeep"));
  });

  it("that leaves out the environments makes a rule about them undecided", () => {
    const props = { projects: recordsOf({ "p-1": shop }, ["status"]), inaccessible: [] };
    const [recorded] = recordedProjects(projectsSnapshotType, props);
    const subjects = auditProject(recorded!, [keptDeployments()]).map(({ subject }) => subject);
    assert.deepEqual(subjects, ["missing environments"]);
  });
});
