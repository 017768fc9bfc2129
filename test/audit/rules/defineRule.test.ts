import assert from "node:assert/strict";
import {
  checkProject,
  defineRule,
  indeterminate,
  type Problem,
  type RuleDefinition,
  violated,
} from "../../../audit/policies.js";
import { failureOf } from "../../support/failure.js";
import { mappedProject } from "../../support/mappedProject.js";

const shop = mappedProject();

const definition: RuleDefinition = {
  name: "tagged-releases",
  description: "The environment live runs a release.",
  reason: "Only releases are tested.",
  remedy: "Deploy a tag such as v1.2.3.",
  checkEnvironment: () => [],
};

describe("defineRule", () => {
  it("creates a rule that merges the problems of a place into one finding", () => {
    const rule = defineRule({
      ...definition,
      severity: "warning",
      checkProject: ({ domain }) => [indeterminate(`Unclear: ${domain}.`)],
      checkEnvironment: ({ environmentId }) =>
        environmentId === "live" ? [indeterminate("Silent."), violated("Wrong.")] : [],
    });
    assert.deepEqual(rule.checks, ["project", "environments"]);
    const place = { rule: "tagged-releases", projectId: "p-1", projectName: "shop" };
    assert.deepEqual(checkProject(shop, [rule]), [
      {
        ...place,
        state: "unknown",
        level: "note",
        message: "Unclear: shop.example.com.",
        remedy:
          "Look it up in the Project Service. The rule requires: The environment live runs a release.",
      },
      {
        ...place,
        state: "violated",
        level: "warning",
        environmentId: "live",
        message: "Silent. Wrong.",
        remedy: "Deploy a tag such as v1.2.3.",
      },
    ]);
  });

  it("creates a rule without options", async () => {
    const rule = defineRule(definition);
    assert.deepEqual(rule.optionsSchema, { properties: {} });
    assert.equal(rule.withOptions({}), rule);
    const { message } = await failureOf(() => rule.withOptions({ minimum: 1 }), "ARGUMENT_INVALID");
    assert.equal(message, "tagged-releases has no option minimum. It has no options.");
  });

  it("shows text of the service in a message on one line, although the rule does not", () => {
    const rule = defineRule({
      ...definition,
      checkProject: () => [violated("shop\n::error::forged\u202e")],
    });
    const [finding] = rule.check(shop);
    assert.equal(finding?.message, "shop\\n::error::forged\\u202e");
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
      /has no check\. Add checkProject or checkEnvironment/,
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

  it("names a rule that throws, or that changes the project", async () => {
    const failing = defineRule({
      ...definition,
      checkProject: ({ environments }) => (environments as unknown[]).reverse() as Problem[],
    });
    const { message } = await failureOf(() => checkProject(shop, [failing]), "ARGUMENT_INVALID");
    assert.match(message, /The rule tagged-releases failed for project p-1: it threw TypeError: /);
  });
});
