import assert from "node:assert/strict";
import {
  type AuditedProject,
  auditProject,
  auditProjects,
  defineRule,
  undecided,
  type Problem,
  type Rule,
  type RuleDefinition,
  violated,
} from "../../../audit/policies.js";
import { failureOf } from "../../support/failure.js";
import { mappedProject } from "../../support/project.js";

const shop = mappedProject();
const blog = { ...shop, projectId: "p-2", name: "blog" };
const unread = { projectId: "p-9", name: "p-9", inaccessible: "FORBIDDEN" };

const definition: RuleDefinition = {
  name: "tagged-releases",
  description: "The environment live runs a release.",
  reason: "Only releases are tested.",
  remedy: "Deploy a tag such as v1.2.3.",
};
const ofProject = (checkProject: (project: AuditedProject) => unknown) =>
  defineRule({ ...definition, checkProject: checkProject as Rule["checkProject"] });

describe("a rule of a user", () => {
  it("has a finding for each problem, at its place, with its level and its remedy", () => {
    const rule = defineRule({
      ...definition,
      environments: ["live"],
      checkEnvironment: () => [violated("Wrong.\u202e", { subject: "tag v1" })],
      checkProject: () => [
        undecided("Unclear.", { environmentId: "live" }),
        violated("Not checked.", { environmentId: "stage" }),
      ],
    });
    const live = { rule: "tagged-releases", projectId: "p-1", projectName: "shop" };
    const remedy = "Deploy a tag such as v1.2.3.";
    assert.deepEqual(auditProject(shop, [rule]), [
      {
        ...{ ...live, environmentId: "live", state: "violated", level: "error" },
        ...{ subject: "tag v1", message: "Wrong.\\u202e", remedy },
      },
      {
        ...{ ...live, environmentId: "live", state: "undecided", level: "warning" },
        ...{ subject: "Unclear.", message: "Unclear." },
        remedy: `Check it in the Project Service, and for a recorded project also the argument fields of its snapshot. The rule requires: ${rule.description}`,
      },
    ]);
  });

  it("compares all projects that could be read, and only if they are checked together", () => {
    const compare = defineRule({
      ...definition,
      checkProjects: (projects) =>
        projects
          .slice(1)
          .map(({ projectId }) => violated(`One of ${projects.length}.`, { projectId })),
    });
    const found = auditProjects([shop, unread, blog], [compare]);
    const subjects = found.map(({ projectId, subject }) => `${projectId} ${subject}`);
    assert.deepEqual(subjects, ["p-9 FORBIDDEN", "p-2 One of 2."]);
    assert.deepEqual(auditProject(blog, [compare]), []);
  });

  it("may repeat a finding, but must give two of one place and state different subjects", async () => {
    const problems = [violated("Same."), undecided("Same."), violated("Other."), violated("Same.")];
    assert.equal(auditProject(shop, [ofProject(() => problems)]).length, 3);
    const another = violated("Another.", { subject: "Same." });
    const { message } = await failureOf(
      () => auditProject(shop, [ofProject(() => [...problems, another])]),
      "ARGUMENT_INVALID",
    );
    assert.match(message, /tagged-releases .* one subject.*\(p-1\), subject "Same\."/);
  });

  it("has subjects that differ if the texts of the service do, whatever is shown of them", () => {
    const long = "x".repeat(400);
    const subjects = ["a\nb", "a\\nb", `${long}1`, `${long}2`];
    const rule = ofProject(() => subjects.map((subject) => violated("Wrong.", { subject })));
    const found = auditProject(shop, [rule]).map(({ subject }) => subject);
    assert.equal(new Set(found).size, subjects.length);
    assert.ok(found.every((subject) => subject.length < 400 && !subject.includes("\n")));
  });

  for (const [title, result, expected] of [
    ["a promise", Promise.resolve([]), /must return a list of .* no check may be async/],
    ["an unknown state", [{ state: "wrong", message: "x" }], /must return a list/],
    ["an empty message", [violated("")], /No message or subject may be blank/],
    ["a problem of another project", [violated("x", { projectId: "p-2" })], /without the proj/],
  ] as const) {
    it(`is named if its check returns ${title}`, async () => {
      const rule = ofProject(() => result);
      const { message } = await failureOf(() => auditProject(shop, [rule]), "ARGUMENT_INVALID");
      assert.match(message, /^The rule tagged-releases failed for project p-1: /);
      assert.match(message, expected);
    });
  }

  type Live = AuditedProject["environments"][number];
  for (const [what, of, key, expected] of [
    ["a misspelled field", (project) => project, "hasDatabase", "Did you mean hasDatabases?"],
    ["one of an environment", (_, live) => live, "webRoot", "Did you mean webroot?"],
    ["a credential", (_, live) => live.databases![0]!, "password", "Known fields: name, "],
  ] as [string, (project: AuditedProject, live: Live) => object, string, string][]) {
    it(`is named with its line if it reads ${what}, which rules do not have`, async () => {
      const read = (object: object) => (object as Record<string, unknown>)[key];
      const rule = ofProject((project) =>
        read(of(project, project.environments[0]!)) ? [violated("Wrong.")] : [],
      );
      const { message } = await failureOf(() => auditProject(shop, [rule]), "ARGUMENT_INVALID");
      assert.ok(message.includes(`it threw Error: There is no field ${key}. ${expected}`), message);
      assert.match(message, /ownRules\.test\.js:\d+:\d+\)?\. Correct the rule\.$/);
    });
  }

  const wrong = ofProject(() => [violated("Wrong.")]);
  const allowed: Readonly<Record<string, (project: AuditedProject) => object>> = {
    "looks for the keys that libraries do": ({ codeRepository }) =>
      ["toJSON", "then", "length"].flatMap((key) => (codeRepository as Values)[key] ?? []),
    "asks whether the project is inaccessible": ({ inaccessible }) => [inaccessible ?? []].flat(),
    "finds no field without a value": (project) =>
      Object.entries(project).filter(([, value]) => value === undefined),
    "checks a changed copy": (project) => auditProject({ ...project, name: "x" }, [wrong]).slice(1),
  };
  type Values = Readonly<Record<string, unknown>>;
  for (const [what, check] of Object.entries(allowed)) {
    it(`is no mistake if it ${what}`, () => {
      assert.deepEqual(auditProject(shop, [ofProject(check)]), []);
    });
  }

  it("is named with the first line of the stack that is in a file", async () => {
    const rule = ofProject(() => JSON.parse("no JSON") as unknown);
    const { message } = await failureOf(() => auditProject(shop, [rule]), "ARGUMENT_INVALID");
    assert.match(
      message,
      /SyntaxError: .* at \S.*ownRules\.test\.js:\d+:\d+\)?\. Correct the rule/,
    );
  });

  it("is named if its comparison returns a problem without a project, or throws", async () => {
    for (const [check, expected] of [
      [() => [violated("Wrong.")], /: .*the projectId of a project/],
      [([project]: readonly AuditedProject[]) => project!.domain!.length, /: it threw TypeError: /],
    ] as const) {
      const rule = defineRule({ ...definition, checkProjects: check as Rule["checkProjects"] });
      const { message } = await failureOf(
        () => auditProjects([{ ...shop, domain: undefined }, blog], [rule]),
        "ARGUMENT_INVALID",
      );
      assert.match(message, /^The rule tagged-releases failed for all projects: /);
      assert.match(message, expected);
    }
  });

  it("gets a copy that it cannot change, and is named if it tries", async () => {
    type Changeable = (typeof shop)["environments"][number];
    const before = structuredClone(shop);
    for (const change of [
      ({ branch }: Changeable) => (branch.guarded = true),
      ({ symLinks }: Changeable) => symLinks.pop(),
      ({ latestDeploymentPaths }: Changeable) => latestDeploymentPaths.pop(),
    ]) {
      const checkEnvironment = (environment: object): Problem[] => {
        change(environment as Changeable);
        return [];
      };
      const rule = defineRule({ ...definition, checkEnvironment });
      const { message } = await failureOf(() => auditProject(shop, [rule]), "ARGUMENT_INVALID");
      assert.match(message, /^The rule tagged-releases failed for project p-1: it threw TypeError/);
    }
    assert.deepEqual(shop, before);
  });
});
