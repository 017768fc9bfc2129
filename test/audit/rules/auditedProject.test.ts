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
  type Rule,
  sentenceOf,
  unsharedDatabases,
  webrootLocation,
} from "../../../audit/policies.js";
import type { Project } from "../../../provider/model/project.js";
import { type ProjectFieldKey, recordedPart } from "../../../provider/model/recordedFields.js";
import { mapProject } from "../../../provider/wire/mapping.js";
import type { WireProject } from "../../../provider/wire/validate.js";
import type { SandboxProject } from "../../../sandbox/index.js";
import { secretCredentials } from "../../../sdk/reading/secretCredentials.js";
import { failureOf } from "../../support/failure.js";
import { mappedProject, wireProject, setAt } from "../../support/project.js";
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
    const project = mapProject(wireProject() as unknown as WireProject, secretCredentials(false));
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

describe("auditedProjects of a ProjectsSnapshot with fields", () => {
  /** Returns the projects of a record with these fields. */
  function recorded(
    fields: readonly ProjectFieldKey[],
    projects: readonly Project[] = [shop, blog],
  ): AuditedProject[] {
    const parts = projects.map((project) => [project.projectId, recordedPart(project, fields)]);
    const props = { projects: Object.fromEntries(parts) as object, inaccessible: [], fields };
    return auditedProjects(projectsSnapshotType, props);
  }
  const shop = mappedProject();
  const blog = { ...shop, projectId: "p-2", name: "blog" };
  const find = (projects: readonly AuditedProject[], rules: readonly Rule[]) =>
    projects.flatMap((project) => checkProject(project, rules));

  it("accepts a record without environments", () => {
    const [project] = recorded(["status"]);
    assert.deepEqual(project?.environments, []);
    assert.deepEqual(project?.missingFields, ["environments"]);
    assert.deepEqual(project?.partialRecord, { fields: ["status"], isFirst: true });
    assert.equal(project?.status, shop.status);
    assert.equal(project?.domain, undefined);
  });

  it("refuses a record without environments that should have some, and fields that are no list", async () => {
    for (const [fields, project] of [
      [["environments.webroot"], { projectId: "p-1", name: "shop" }],
      ["status", { projectId: "p-1", name: "shop" }],
      [[1], { projectId: "p-1", name: "shop", environments: [] }],
      [["status"], null],
    ]) {
      const props = { projects: { "p-1": project }, inaccessible: [], fields };
      await failureOf(() => auditedProjects(projectsSnapshotType, props), "ARGUMENT_INVALID");
    }
  });

  it("makes a house rule that needs another field find that, once for all projects", () => {
    const [finding, ...others] = find(recorded(["status", "environments.currentTag"]), [
      webrootLocation(),
    ]);
    assert.deepEqual(others, []);
    assert.equal(finding?.state, "unknown");
    assert.equal(finding.level, "warning");
    assert.equal(
      sentenceOf(finding),
      "Project shop (p-1), rule webroot-location: The rule checked no project of this resource. It needs a field that is not recorded: add environments.webroot to fields. The rule requires: Every webroot is in a folder of its project in /var/www.",
    );
  });

  it("makes a house rule need the fields of its conditions", () => {
    const rule = webrootLocation({ projects: ["type=TYPO3", "name=shop"] });
    const [finding] = find(recorded(["environments.webroot"]), [rule]);
    assert.match(finding?.message ?? "", /not recorded: add type to fields\.$/);
    const byId = webrootLocation({ projects: ["environments.environmentId=live"] });
    assert.deepEqual(find(recorded(["environments.webroot"]), [byId]), []);
  });

  it("names a field that may decide what a house rule could not", () => {
    const noCode = mappedProject((project) => {
      project.hasCode = false;
      setAt(project, ["projectEnvironments", 0, "projectEnvironmentCode", "webroot"], undefined);
    });
    const [finding, ...others] = find(recorded(["environments.webroot"], [noCode]), [
      webrootLocation(),
    ]);
    assert.deepEqual(others, []);
    assert.deepEqual([finding?.environmentId, finding?.subject], ["live", "webroot"]);
    assert.match(
      finding?.message ?? "",
      /^The service does not show a webroot\. To decide, it may need a field that is not recorded: add hasCode to fields\.$/,
    );
    assert.deepEqual(
      find(recorded(["environments.webroot", "hasCode"], [noCode]), [webrootLocation()]),
      [],
    );
  });

  /** The shop, and the shop without one of its fields or with another value of it. */
  const variants: readonly Project[] = [
    shop,
    ...["hasCode", "hasDatabases", "hasAssets"].flatMap((key) =>
      [false, undefined].flatMap((value) =>
        ["projectEnvironmentCode", "projectEnvironmentAssets", "projectEnvironmentDatabases"].map(
          (part) => variant([key], value, [part], undefined),
        ),
      ),
    ),
    ...["AWAITING_INITIAL_DEPLOYMENT", undefined].map((status) =>
      variant(["status"], status, ["projectEnvironmentCode", "initialized"], null),
    ),
    ...["branch", "webroot"].map((key) =>
      mappedProject((project: SandboxProject) => {
        project.hasCode = false;
        const code = { ...project.projectEnvironments[0]!.projectEnvironmentCode };
        const changed = { ...code, initialized: null, [key]: undefined };
        setAt(project, ["projectEnvironments", 0, "projectEnvironmentCode"], changed);
      }),
    ),
    variant(["projectEnvironments"], undefined),
    variant(["projectEnvironments", 0, "symLinks"], undefined),
  ];

  function variant(
    path: readonly (string | number)[],
    value: unknown,
    inLive: readonly string[] = [],
    other?: unknown,
  ): Project {
    return mappedProject((project: SandboxProject) => {
      if (inLive.length > 0) setAt(project, ["projectEnvironments", 0, ...inLive], other);
      setAt(project, path, value);
    });
  }

  for (const rule of houseRules().filter(({ snapshotsOnly }) => !snapshotsOnly)) {
    it(`makes ${rule.key} find the same as in whole projects, with the fields that it asks for`, () => {
      const fields: ProjectFieldKey[] = ["name"];
      const examples = [rule.examples.violating, rule.examples.passing].map(completed);
      for (const project of [...variants, ...examples]) {
        const statesIn = (one: ProjectToCheck) =>
          rule.check(one).map(({ environmentId, state }) => [environmentId, state]);
        for (;;) {
          const [partial] = recorded(fields, [project]);
          const messages = rule.check(partial!).map(({ message }) => message);
          const asked = /not recorded: add (.*) to fields/.exec(messages.join("\n"))?.[1];
          if (asked === undefined) break;
          fields.push(...(asked.split(", ") as ProjectFieldKey[]));
        }
        const [partial] = recorded(fields, [project]);
        assert.deepEqual(statesIn(partial!), statesIn(project), fields.join());
      }
    });
  }

  /** Returns the project of an example with the missing fields that a mapped project always has. */
  function completed(example: ProjectToCheck): Project {
    const environments = example.environments?.map((environment) => ({
      ...environment,
      missingFields: [],
    }));
    return { ...example, environments, missingFields: [] } as unknown as Project;
  }

  it("makes a rule of a user that checks environments find that they are not recorded", () => {
    const definition = { name: "spy", description: "Sees.", reason: "A test.", remedy: "None." };
    const ofEnvironments = defineRule({ ...definition, checkEnvironment: () => [] });
    const [finding, ...others] = find(recorded(["status"]), [ofEnvironments]);
    assert.match(finding?.message ?? "", /not recorded: add environments to fields/);
    assert.deepEqual(others, []);
    assert.deepEqual(find(recorded(["environments.webroot"]), [ofEnvironments]), []);
    const domains: unknown[] = [];
    const ofProjects = defineRule({
      ...definition,
      checkProject: ({ domain }) => {
        domains.push(domain);
        return [];
      },
      checkProjects: (projects) => {
        domains.push(projects.length);
        return [];
      },
    });
    ofProjects.checkAll(recorded(["status"]));
    assert.deepEqual(domains, [undefined, undefined, 2]);
    const unshared = unsharedDatabases().checkAll(recorded(["environments.databases.allowedIP"]));
    assert.equal(unshared.length, 1);
  });

  it("names a project that could not be read besides", () => {
    const inaccessible = [{ projectId: "p-9", code: "FORBIDDEN" }];
    const props = { projects: {}, inaccessible, fields: ["status"] };
    const findings = find(auditedProjects(projectsSnapshotType, props), [webrootLocation()]);
    assert.deepEqual(
      findings.map(({ message }) => message),
      ["The project could not be read when it was recorded (FORBIDDEN)."],
    );
  });
});
