import assert from "node:assert/strict";
import {
  checkProject,
  defineRule,
  indeterminate,
  keptDeployments,
  type Problem,
  type RuleDefinition,
  violated,
} from "../../../audit/policies.js";
import { failureOf } from "../../support/failure.js";
import { mappedProject } from "../../support/project.js";

const shop = mappedProject();
type Changeable = (typeof shop)["environments"][number];

const definition: RuleDefinition = {
  name: "tagged-releases",
  description: "The environment live runs a release.",
  reason: "Only releases are tested.",
  remedy: "Deploy a tag such as v1.2.3.",
  checkEnvironment: () => [],
};

describe("defineRule", () => {
  it("creates a rule with a finding for each problem", () => {
    const rule = defineRule({
      ...definition,
      severity: "warning",
      checkProject: ({ domain }) => [indeterminate(`Unclear: ${domain}.`)],
      checkEnvironment: ({ environmentId }) =>
        environmentId === "live"
          ? [
              indeterminate("Silent.", { subject: "tag" }),
              violated("Wrong.", { subject: "tag" }),
              violated("Wrong too.", { subject: "tag" }),
            ]
          : [],
    });
    assert.deepEqual(rule.checks, ["project", "environments"]);
    const place = { rule: "tagged-releases", projectId: "p-1", projectName: "shop" };
    const live = { ...place, environmentId: "live" };
    const remedy = "Deploy a tag such as v1.2.3.";
    const wrong = { state: "violated", level: "warning", remedy } as const;
    const lookUp =
      "Look it up in the Project Service. The rule requires: The environment live runs a release.";
    assert.deepEqual(checkProject(shop, [rule]), [
      {
        ...place,
        state: "unknown",
        level: "note",
        subject: "Unclear: shop.example.com.",
        message: "Unclear: shop.example.com.",
        remedy: lookUp,
      },
      {
        ...live,
        state: "unknown",
        level: "note",
        subject: "tag",
        message: "Silent.",
        remedy: lookUp,
      },
      { ...live, ...wrong, subject: "tag", message: "Wrong." },
      { ...live, ...wrong, subject: "tag \\#2", message: "Wrong too." },
    ]);
  });

  it("creates a rule without options", async () => {
    const rule = defineRule(definition);
    assert.deepEqual(rule.optionsSchema, { properties: {} });
    assert.equal(rule.withOptions({}), rule);
    assert.equal({ ...rule, severity: "note" as const }.withOptions({}).severity, "note");
    const { message } = await failureOf(() => rule.withOptions({ minimum: 1 }), "ARGUMENT_INVALID");
    assert.equal(
      message,
      "The options of tagged-releases cannot contain the key minimum. There are none.",
    );
  });

  it("shows text of the service in a message on one line, although the rule does not", () => {
    const rule = defineRule({
      ...definition,
      checkProject: () => [violated("shop\n::error::forged\u202e")],
    });
    const [finding] = rule.check(shop);
    assert.equal(finding?.message, "shop\\n:\\u003aerror:\\u003aforged\\u202e");
  });

  for (const [title, change, expected] of [
    [
      "a wrong name",
      { name: "taggedReleases" },
      /^defineRule failed for the rule taggedReleases: name must be lowercase words with hyphens, such as/,
    ],
    ["no name", { name: undefined }, /^defineRule failed: name must be/],
    [
      "no reason and no remedy",
      { reason: undefined, remedy: " " },
      /reason must be a text on one line\. remedy must be/,
    ],
    ["a text on two lines", { description: "one\ntwo" }, /description must be a text on one line/],
    ["an unknown severity", { severity: "fatal" }, /severity must be one of error, warning, note/],
    [
      "no check",
      { checkEnvironment: undefined },
      /has no check\. Add checkProject, checkEnvironment or checkProjects/,
    ],
    ["a check that is no function", { checkProject: true }, /checkProject must be a function/],
    ["an unknown key", { check: () => [] }, /check is not a key of a rule\. The keys are name, /],
  ] as const) {
    it(`refuses ${title}`, async () => {
      const wrong = { ...definition, ...change } as unknown as RuleDefinition;
      const { message } = await failureOf(() => defineRule(wrong), "ARGUMENT_INVALID");
      assert.match(message, expected);
    });
  }

  for (const [title, result] of [
    ["nothing", undefined],
    ["a promise", Promise.resolve([])],
    ["a text", "The webroot is wrong."],
    ["a list of texts", ["The webroot is wrong."]],
    ["an unknown state", [{ state: "wrong", message: "The webroot is wrong." }]],
  ] as const) {
    it(`names a rule whose check returns ${title}`, async () => {
      const checkEnvironment = () => result as unknown as Problem[];
      const rule = defineRule({ ...definition, checkEnvironment });
      const { message } = await failureOf(() => rule.check(shop), "ARGUMENT_INVALID");
      assert.match(
        message,
        /The rule tagged-releases failed for project p-1: its check returned no list/,
      );
    });
  }

  it("has subjects that differ if the texts of the service do, whatever is shown of them", () => {
    const long = "x".repeat(400);
    const subjects = [
      ...["a\nb", "a\\nb", `${long}1`, `${long}2`],
      ...["same", "same", "same #2", "same \\#2"],
    ];
    const rule = defineRule({
      ...definition,
      checkProject: () => subjects.map((subject) => violated("Wrong.", { subject })),
    });
    const found = rule.check(shop).map(({ subject }) => subject);
    assert.equal(new Set(found).size, subjects.length);
    assert.ok(found.every((subject) => subject.length < 400 && !subject.includes("\n")));
    assert.deepEqual(found.slice(4), ["same", "same \\#2", "same #2", "same \\\\#2"]);
  });

  it("numbers many equal subjects in little time", function () {
    this.timeout(5_000);
    const rule = defineRule({
      ...definition,
      checkProject: () => Array<Problem>(20_000).fill(violated("Wrong.", { subject: "same" })),
    });
    assert.equal(rule.check(shop).at(-1)?.subject, "same \\#20000");
  });

  it("reports under the name and the severity that a spread rule has", () => {
    const rule = {
      ...keptDeployments({ minimum: 9 }),
      name: "own-name",
      severity: "note",
    } as const;
    for (const findings of [rule.check(shop), rule.checkAll([shop]), checkProject(shop, [rule])]) {
      assert.ok(findings.length > 0);
      for (const finding of findings) {
        assert.deepEqual([finding.rule, finding.level], ["own-name", "note"]);
      }
    }
  });

  describe("with checkProjects", () => {
    const blog = { ...shop, projectId: "p-2", name: "blog" };
    const compare = defineRule({
      ...definition,
      checkEnvironment: undefined,
      checkProjects: (projects) =>
        projects
          .slice(1)
          .map(({ projectId }) =>
            violated(`One of ${projects.length}.`, { projectId, subject: "order" }),
          ),
    });

    it("sees all projects of an audit at once, and only there", () => {
      assert.deepEqual(
        compare.checkAll([shop, blog]).map(({ projectId, message }) => [projectId, message]),
        [["p-2", "One of 2."]],
      );
      assert.deepEqual(compare.check(shop), []);
      assert.deepEqual(checkProject(blog, [compare]), []);
    });

    it("gets no project that could not be read", () => {
      const unread = { projectId: "p-9", name: "p-9", environments: [], inaccessible: "FORBIDDEN" };
      const found = compare.checkAll([shop, unread, blog]);
      assert.deepEqual(
        found.map(({ projectId, state }) => [projectId, state]),
        [["p-2", "violated"]],
      );
    });

    for (const [what, problem] of [
      ["without a projectId", violated("Wrong.")],
      ["with an unknown projectId", violated("Wrong.", { projectId: "p-3" })],
    ] as const) {
      it(`must not return a problem ${what}`, async () => {
        const rule = defineRule({ ...definition, checkProjects: () => [problem] });
        const { message } = await failureOf(() => rule.checkAll([shop]), "ARGUMENT_INVALID");
        assert.match(
          message,
          /tagged-releases failed for all projects.*the projectId of a project/,
        );
      });
    }

    for (const place of [{ projectId: "p-1" }, { environmentId: "live" }]) {
      for (const check of ["checkProject", "checkEnvironment"]) {
        it(`alone may name a place, and not ${check} with ${JSON.stringify(place)}`, async () => {
          const rule = defineRule({ ...definition, [check]: () => [violated("Wrong.", place)] });
          const { message } = await failureOf(() => rule.check(shop), "ARGUMENT_INVALID");
          assert.match(
            message,
            /only checkProjects may return problems with a projectId or an environmentId/,
          );
        });
      }
    }
  });

  it("shows a rule a copy that nobody can change, and leaves the project as it was", async () => {
    const before = structuredClone(shop);
    const changes: ((environment: Changeable) => unknown)[] = [
      ({ branch }) => (branch.guarded = true),
      ({ symLinks }) => symLinks.pop(),
      ({ symLinks }) => (symLinks[0]!.to = "/"),
      ({ databases }) => (databases[0]!.allowedIP = "x"),
      ({ latestDeploymentPaths }) => latestDeploymentPaths.pop(),
      ({ initialized }) => (initialized.code = null),
      ({ missingFields }) => missingFields.push("x"),
    ];
    for (const change of changes) {
      const rule = defineRule({
        ...definition,
        checkEnvironment: (environment) => {
          change(environment as unknown as Changeable);
          return [];
        },
      });
      const { message } = await failureOf(() => rule.check(shop), "ARGUMENT_INVALID");
      assert.match(message, /it threw TypeError/);
    }
    assert.deepEqual(shop, before);
  });

  it("names a rule that throws, or that changes the project", async () => {
    const failing = defineRule({
      ...definition,
      checkProject: ({ environments }) => (environments as unknown[]).reverse() as Problem[],
    });
    const { message } = await failureOf(() => checkProject(shop, [failing]), "ARGUMENT_INVALID");
    assert.match(message, /The rule tagged-releases failed for project p-1: it threw TypeError: /);
  });
});
