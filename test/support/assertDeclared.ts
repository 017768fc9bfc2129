import assert from "node:assert/strict";

/*
 * What a result may be, written down a second time, from the document and the result's types and
 * not from provider/schemas.ts: a slip there is not repeated here.
 */

type Check = (value: unknown, place: string) => void;

/** What a scalar that the document declares may come as when the answer lacks it: never null. */
const orUndefined =
  (type: "string" | "boolean" | "number"): Check =>
  (value, place) => {
    if (value === undefined) return;
    assert.equal(typeof value, type, place);
    if (type === "number") assert.ok(Number.isInteger(value), place);
    if (type === "string") assertText(value, place);
  };

const text = orUndefined("string");
const flag = orUndefined("boolean");
const integer = orUndefined("number");

/** Text that reaches its reader as it is: Pulumi has one for unknown values, and sends UTF-8. */
const assertText: Check = (value, place) => {
  assert.ok(typeof value === "string", `${place} is ${typeof value}`);
  assert.notEqual(value, "04da6b54-80e4-46f7-96ec-b56ff0331ba9", place);
  assert.ok(value.isWellFormed(), `${place} has half a character`);
};

const id: Check = (value, place) => {
  assertText(value, place);
  assert.notEqual(value, "", place);
};

/** JSON that Pulumi takes for nothing but JSON. */
const anyJson: Check = (value, place) => {
  if (value !== undefined) assertPlainJson(value, place, 0);
};

function assertPlainJson(value: unknown, place: string, depth: number): void {
  if (value === null || typeof value === "boolean") return;
  if (typeof value === "number") return assert.ok(Number.isFinite(value), `${place} is not JSON`);
  if (typeof value === "string") return assertText(value, place);
  assert.equal(typeof value, "object", place);
  assert.ok(depth < 100, `${place} is deep`);
  const prototype: unknown = Object.getPrototypeOf(value);
  assert.equal(prototype, Array.isArray(value) ? Array.prototype : Object.prototype, place);
  for (const [key, member] of Object.entries(value as object)) {
    assert.ok(!/^__proto__$|^__pulumi|^4dabf18193072939515e22adb298388d$/.test(key), place);
    assertText(key, place);
    assertPlainJson(member, place, depth + 1);
  }
}

const list =
  (element: Check): Check =>
  (value, place) => {
    assert.ok(Array.isArray(value), `${place} is no list`);
    value.forEach((member, index) => element(member, `${place}[${index}]`));
  };

/** These keys, all of them, and no others. */
const record =
  (checks: Record<string, Check>): Check =>
  (value, place) => {
    assert.ok(typeof value === "object" && value !== null, `${place} is no object`);
    assert.equal(Object.getPrototypeOf(value), Object.prototype, place);
    assert.deepEqual(Reflect.ownKeys(value).sort(), Object.keys(checks).sort(), place);
    for (const [key, check] of Object.entries(checks)) {
      check((value as Record<string, unknown>)[key], `${place}.${key}`);
    }
  };

const optional =
  (check: Check): Check =>
  (value, place) => {
    if (value !== undefined) check(value, place);
  };

const summary = { projectId: id, name: id, type: text, status: text, domain: text };

const environment = record({
  environmentId: id,
  order: integer,
  branch: optional(record({ name: text, guarded: flag })),
  currentTag: text,
  webroot: text,
  webServer: text,
  importBranchOrTag: anyJson,
  latestDeploymentPaths: list(anyJson),
  deploymentsToKeep: integer,
  assetGroups: list(
    record({ id, path: text, title: text, associationId: integer, symLinkId: text }),
  ),
  databases: list(
    record({
      name: id,
      associationId: integer,
      databaseType: text,
      allowedIP: anyJson,
      username: assertText,
      password: assertText,
    }),
  ),
  symLinks: list(record({ id, to: text, from: text, assetGroupId: text })),
  deploymentTargetGroupIds: record({ code: text, assets: text, databases: text }),
  initialized: record({ code: anyJson, assets: anyJson, databases: flag }),
});

const byOrder: Check = (value, place) => {
  const orders = (value as { order?: number }[]).map(({ order }) => order ?? Infinity);
  for (const [index, order] of orders.slice(1).entries()) {
    assert.ok(order >= (orders[index] as number), `${place} is not in order`);
  }
};

const project = record({
  ...summary,
  hasCode: flag,
  hasDatabases: flag,
  hasAssets: flag,
  codeRepository: optional(
    record({
      gitHost: text,
      group: text,
      name: text,
      repositoryId: text,
      gitProvider: text,
      sshRepoUrl: text,
      importRepository: anyJson,
    }),
  ),
  environments: (value, place) => {
    list(environment)(value, place);
    byOrder(value, place);
  },
});

/** Fails unless the value is a Project as declared, with the credentials in clear. */
export function assertProject(value: unknown): void {
  project(value, "project");
}

/** Fails unless the value is a list of ProjectSummary as declared, each project once. */
export function assertProjectList(value: unknown): void {
  list(record(summary))(value, "projects");
  const ids = (value as { projectId: string }[]).map(({ projectId }) => projectId);
  assert.equal(new Set(ids).size, ids.length, "a project is there twice");
}

/** Fails unless the value is a Grant that can be used. */
export function assertGrant(value: unknown): void {
  record({
    accessToken: (token, place) => assert.match(token as string, /^[\x21-\x7e]+$/, place),
    lifetimeMs: (ms, place) => assert.ok(typeof ms === "number" && ms > 0, place),
    refreshToken: optional(id),
    refreshLifetimeMs: (ms, place) =>
      assert.ok(ms === undefined || (typeof ms === "number" && ms > 0), place),
  })(value, "grant");
}

/** Fails if a text, number or flag in the result is not in the answer: nothing is invented. */
export function assertNothingInvented(result: unknown, answer: unknown): void {
  const given = new Set(leaves(answer));
  for (const leaf of leaves(result)) assert.ok(given.has(leaf), "a value was invented");
}

/** Without recursion: an answer may be nested as deeply as it likes where nobody looks. */
function leaves(root: unknown): unknown[] {
  const found: unknown[] = [];
  const left = [root];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value !== "object") found.push(value);
    else for (const member of Object.values(value ?? {})) left.push(member);
  }
  return found.filter((value) => value !== undefined);
}
