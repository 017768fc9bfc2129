import assert from "node:assert/strict";

/*
 * The shape of every result, written a second time: from the document and from the types of the
 * results, not from provider/wire/schemas.ts. So a mistake there is not repeated here.
 */

type Check = (value: unknown, place: string) => void;

/** A documented scalar. It is `undefined` if the response omits it, and never null. */
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

/** Text that Pulumi carries unchanged. Pulumi has a text for unknown values, and sends UTF-8. */
const assertText: Check = (value, place) => {
  assert.ok(typeof value === "string", `${place} is ${typeof value}`);
  assert.notEqual(value, "04da6b54-80e4-46f7-96ec-b56ff0331ba9", place);
  assert.ok(value.isWellFormed(), `${place} has an unpaired surrogate`);
};

const id: Check = (value, place) => {
  assertText(value, place);
  assert.notEqual(value, "", place);
};

/** JSON that Pulumi carries unchanged. */
const anyJson: Check = (value, place) => {
  if (value !== undefined) assertPlainJson(value, place, 0);
};

function assertPlainJson(value: unknown, place: string, depth: number): void {
  if (value === null || typeof value === "boolean") return;
  if (typeof value === "number") return assert.ok(Number.isFinite(value), `${place} is not JSON`);
  if (typeof value === "string") return assertText(value, place);
  assert.equal(typeof value, "object", place);
  assert.ok(depth < 100, `${place} is nested too deep`);
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
    assert.ok(Array.isArray(value), `${place} is not a list`);
    value.forEach((member, index) => element(member, `${place}[${index}]`));
  };

/** An object with exactly these keys. */
const record =
  (checks: Record<string, Check>): Check =>
  (value, place) => {
    assert.ok(typeof value === "object" && value !== null, `${place} is not an object`);
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
      username: text,
      password: text,
    }),
  ),
  symLinks: list(record({ id, to: text, from: text, assetGroupId: text })),
  deploymentTargetGroupIds: record({ code: text, assets: text, databases: text }),
  initialized: record({ code: anyJson, assets: anyJson, databases: flag }),
  missingFields: list(assertText),
});

const byOrder: Check = (value, place) => {
  const orders = (value as { order?: number }[]).map(({ order }) => order ?? Infinity);
  for (const [index, order] of orders.slice(1).entries()) {
    assert.ok(order >= (orders[index] as number), `${place} is not sorted by order`);
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
  missingFields: list(assertText),
});

/** Fails unless the value has the type Project, with the credentials in clear. */
export function assertProject(value: unknown): void {
  project(value, "project");
}

/** Fails unless the value is a list of ProjectSummary that has each project once. */
export function assertProjectList(value: unknown): void {
  list(record(summary))(value, "projects");
  const ids = (value as { projectId: string }[]).map(({ projectId }) => projectId);
  assert.equal(new Set(ids).size, ids.length, "the list has a project twice");
}

/** Fails unless the value is a usable TokenSet. */
export function assertTokenSet(value: unknown): void {
  record({
    accessToken: (token, place) => assert.match(token as string, /^[\x21-\x7e]+$/, place),
    lifetimeMs: (ms, place) => assert.ok(typeof ms === "number" && ms > 0, place),
    refreshToken: optional(id),
    refreshLifetimeMs: (ms, place) =>
      assert.ok(ms === undefined || (typeof ms === "number" && ms > 0), place),
  })(value, "tokens");
}

/** Fails if the result has a text, a number or a flag that the response does not have. */
export function assertNothingInvented(result: unknown, response: unknown): void {
  const received = new Set(leaves(response));
  for (const leaf of leaves(result)) assert.ok(received.has(leaf), "a value was invented");
}

/** Works without recursion, because ignored parts of a response may be nested to any depth. */
function leaves(root: unknown): unknown[] {
  const found: unknown[] = [];
  const pending = [root];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value !== "object") found.push(value);
    else {
      for (const [key, member] of Object.entries(value ?? {})) {
        // It names what the response does not have.
        if (key !== "missingFields") pending.push(member);
      }
    }
  }
  return found.filter((value) => value !== undefined);
}
