import assert from "node:assert/strict";
import { inspect } from "node:util";
import {
  type ProjectToCheck,
  auditedProjects,
  checkProject,
  type AuditedProject,
  defineRule,
  houseRules,
  projectSnapshotType,
  projectsSnapshotType,
} from "../../../audit/policies.js";
import { mapProject } from "../../../provider/wire/mapping.js";
import type { WireProject } from "../../../provider/wire/validate.js";
import { secretCredentials } from "../../../sdk/reading/secretCredentials.js";
import { failureOf } from "../../support/failure.js";
import { mappedProject } from "../../support/mappedProject.js";
import { wireProject } from "../../support/project.js";
import { LeakSearch } from "../../support/leakSearch.js";

const canary = "canary-of-a-credential";

/** Returns the project that rules receive. */
function received(project: ProjectToCheck): AuditedProject {
  const projects: AuditedProject[] = [];
  const spy = defineRule({
    name: "spy",
    description: "Sees everything.",
    reason: "A test.",
    remedy: "None.",
    checkProject: (checked) => {
      projects.push(checked);
      return [];
    },
    checkEnvironment: (environment, checked) => {
      assert.ok(checked.environments.includes(environment));
      return [];
    },
  });
  checkProject(project, [spy]);
  const [only, ...others] = projects;
  assert.ok(only && others.length === 0);
  return only;
}

/** A project with credentials at all the places where a result or a state can have them. */
function withCredentials(): ProjectToCheck {
  const shop = mappedProject();
  return {
    ...shop,
    codeRepository: { ...shop.codeRepository, importRepository: { url: canary } },
    environments: shop.environments.map((environment) => ({
      ...environment,
      databases: environment.databases.map((database) => ({
        ...database,
        username: canary,
        password: canary,
      })),
    })),
    credentials: { databases: { live: [{ password: canary }] }, importRepository: canary },
    __provider: canary,
  } as ProjectToCheck;
}

describe("the project that rules receive", () => {
  it("has every field of the project, and no credential", () => {
    const { recordsCredentials, inaccessible, ...fields } = received(withCredentials());
    assert.equal(inaccessible, undefined);
    assert.deepEqual(fields, mappedProject());
    assert.equal(recordsCredentials, true);
    assert.equal(received(mappedProject()).recordsCredentials, false);
    assert.equal(received({ ...mappedProject(), credentials: null }).recordsCredentials, false);
  });

  it("has no credential of a result of getProject, and reads none", () => {
    const project = mapProject(wireProject() as unknown as WireProject, secretCredentials);
    Object.defineProperty(project.environments[0]?.databases[0], "password", {
      enumerable: true,
      get: () => assert.fail("a credential was read"),
    });
    const { recordsCredentials, inaccessible: _, ...fields } = received(project);
    assert.deepEqual(fields, mappedProject());
    assert.equal(recordsCredentials, false);
  });

  it("is the same for all rules, and no rule can change it", () => {
    const checked = received(mappedProject());
    assert.equal(received(checked), checked);
    assert.ok(Object.isFrozen(checked) && Object.isFrozen(checked.environments));
    assert.ok(Object.isFrozen(checked.environments[0]?.databases?.[0]));
  });

  it("has a missing list among its missing fields, whatever these say", () => {
    for (const missingFields of [undefined, [], ["webroot"]]) {
      const environment = { environmentId: "live", databases: [], symLinks: null, missingFields };
      const bare = { projectId: "p-1", name: "shop", environments: [environment] };
      assert.deepEqual(received(bare as ProjectToCheck).environments[0]?.missingFields, [
        ...(missingFields ?? []),
        "assetGroups",
        "latestDeploymentPaths",
        "symLinks",
      ]);
    }
  });

  it("may have no fields but ids and name", () => {
    const bare = { projectId: "p-1", name: "shop", environments: [{ environmentId: "live" }] };
    assert.equal(received(bare).environments[0]?.environmentId, "live");
    assert.deepEqual(received({ ...bare, codeRepository: null }).codeRepository, null);
  });
});

describe("auditedProjects", () => {
  it("returns the project of a ProjectSnapshot without credentials", () => {
    const [project, ...others] = auditedProjects(projectSnapshotType, withCredentials());
    assert.ok(project);
    assert.deepEqual(others, []);
    assert.equal(project.name, "shop");
    assert.equal(project.recordsCredentials, true);
    new LeakSearch([canary]).text("the project", inspect(project, { depth: null, getters: true }));
    const rules = checkProject(project, houseRules()).map(({ rule }) => rule);
    assert.ok(rules.includes("recorded-without-credentials"));
  });

  it("returns each project of a ProjectsSnapshot without credentials", () => {
    const shop = withCredentials();
    const blog = { ...mappedProject(), projectId: "constructor", name: "blog" };
    const props = {
      projects: { "p-1": shop, constructor: blog },
      inaccessible: [],
      credentials: { "p-1": { databases: { live: [{ password: canary }] } } },
    };
    const projects = auditedProjects(projectsSnapshotType, props);
    assert.deepEqual(
      projects.map(({ name, recordsCredentials }) => [name, recordsCredentials]),
      [
        ["shop", true],
        ["blog", true],
      ],
    );
    new LeakSearch([canary]).text("the projects", inspect(projects, { depth: null }));
    const { credentials: _, ...without } = props;
    const [first] = auditedProjects(projectsSnapshotType, { ...without, projects: { a: blog } });
    assert.equal(first?.recordsCredentials, false);
  });

  it("returns an inaccessible project, for which every rule about the service is undecided", () => {
    const props = { projects: {}, inaccessible: [{ projectId: "p-2", code: "FORBIDDEN" }] };
    const [project] = auditedProjects(projectsSnapshotType, { ...props, credentials: {} });
    assert.ok(project);
    const findings = checkProject(project, houseRules());
    assert.equal(
      findings.length,
      houseRules().filter(({ snapshotsOnly }) => !snapshotsOnly).length,
    );
    for (const { state, level, projectId, message } of findings) {
      assert.deepEqual([state, level, projectId], ["unknown", "warning", "p-2"]);
      assert.equal(message, "The project could not be read when it was recorded (FORBIDDEN).");
    }
  });

  it("returns no project of another resource, whatever its properties are", () => {
    assert.deepEqual(auditedProjects("aws:s3/bucket:Bucket", { projectId: "p-1" }), []);
  });

  it("refuses a snapshot that records no project, which would pass otherwise", async () => {
    await failureOf(() => auditedProjects(projectSnapshotType, {}), "ARGUMENT_INVALID");
    for (const props of [
      {},
      { projects: {} },
      { projects: { "p-1": null }, inaccessible: [] },
      { projects: {}, inaccessible: [{}] },
    ]) {
      await failureOf(() => auditedProjects(projectsSnapshotType, props), "ARGUMENT_INVALID");
    }
  });
});
