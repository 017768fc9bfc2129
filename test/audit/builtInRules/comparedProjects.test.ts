import assert from "node:assert/strict";
import { unsharedDatabases } from "../../../audit/builtInRules/unsharedDatabases.js";
import { webrootLocation } from "../../../audit/builtInRules/webrootLocation.js";
import { auditProjects, type Rule } from "../../../audit/policies.js";

/** Returns a project with the environments of the test. */
const projectOf = (name: string, ...environments: object[]) => ({
  projectId: `id-${name}`,
  name,
  environments: environments.map((each, index) => ({
    environmentId: ["live", "stage", "test"][index],
    ...each,
  })),
});

/** Returns what a rule finds in projects, sorted: project, environment, state and subject. */
function foundIn(rule: Rule, projects: readonly ReturnType<typeof projectOf>[]): string[] {
  return auditProjects(projects, [rule])
    .map(({ projectId, environmentId = "-", state, subject }) =>
      [projectId, environmentId, state, subject].join(" "),
    )
    .sort();
}

describe("webrootLocation of several projects", () => {
  const environment = (webroot: string, code: string | null = "web-1") => ({
    webroot,
    deploymentTargetGroupIds: { code },
  });
  const web = (name: string, ...webroot: Parameters<typeof environment>) =>
    projectOf(name, environment(...webroot));
  const blog = web("blog", "/var/www/blog/public");
  const inBlog = "/var/www/blog/public/shop";
  const rule = webrootLocation({ folders: ["/var/www", "/srv"] });

  const cases = {
    "one in another": {
      projects: [blog, web("shop", inBlog)],
      finds: ["id-blog live violated", "id-shop live violated"],
    },
    "longer names": { projects: [blog, web("shop", "/var/www/blog/public-2")], finds: [] },
    "another server": { projects: [blog, web("shop", inBlog, "web-2")], finds: [] },
    "a server that the service omits": {
      projects: [blog, web("shop", inBlog, null)],
      finds: ["id-shop - undecided"],
    },
    "an omitted server of another webroot": {
      projects: [blog, web("shop", "/var/www/shop", null)],
      finds: [],
    },
    // Environments of one project count too. The webroots x/b and x/c do not overlap, so the finding of x/b is about x in its own project.
    "two in a third one of one project": {
      projects: [
        projectOf("a", environment("/srv/x"), environment("/srv/x/b")),
        web("c", "/srv/x/c"),
      ],
      finds: [
        ...["id-a live violated", "id-a live violated", "id-a stage violated"],
        "id-c live violated",
      ],
    },
  };
  for (const [title, { projects, finds }] of Object.entries(cases)) {
    it(`compares ${title}`, () => {
      for (const some of [projects, [...projects].reverse()]) {
        const states = foundIn(rule, some).map((text) => text.split(" ").slice(0, 3).join(" "));
        assert.deepEqual(states, finds);
      }
    });
  }

  it("does not compare environments of which it checks none", () => {
    const inner = environment("/var/www/cms/a", null);
    const projects = ["a", "b"].map((name) =>
      projectOf(name, environment(`/var/www/${name}`), environment("/var/www/cms", null), inner),
    );
    assert.deepEqual(foundIn(webrootLocation({ environments: ["live"] }), projects), []);
    assert.equal(foundIn(rule, projects).length, 2);
  });

  it("compares absolute webroots without .., whether their folder is allowed or not", () => {
    const overlapping = (...paths: string[]) =>
      foundIn(
        webrootLocation(),
        paths.map((path, index) => web(`${index}`, path)),
      ).filter((text) => text.includes(" in "));
    assert.equal(overlapping("/srv/x/.git", "/srv/x/.git").length, 2);
    assert.equal(overlapping("/", "//", "/var/www/c").length, 3);
    assert.equal(overlapping("var/x", "var/x").length, 0);
    assert.equal(overlapping("/var/www/../x", "/var/www/../x").length, 0);
  });

  it("has subjects with both webroots and everybody who overlaps", () => {
    const both = "shared by /srv/x of id-a live, /srv/x/y of id-c live";
    assert.deepEqual(foundIn(rule, [web("a", "/srv/x/"), web("c", "/srv/x/y")]), [
      `id-a live violated webroot /srv/x in /srv/x, ${both}`,
      `id-c live violated webroot /srv/x/y in /srv/x, ${both}`,
    ]);
  });

  it("has messages with the folder and the first others in it, which do not all overlap", () => {
    const projects = [
      web("a", "/srv/x"),
      ...[..."bhgfedc"].map((name) => web(name, `/srv/x/${name}`)),
    ];
    const { message } = auditProjects(projects, [rule])[1]!;
    const inner = [..."cdef"].map((name) => `/srv/x/${name} of id-${name} live`).join(", ");
    const others = `/srv/x of id-a live, ${inner} and 2 more`;
    assert.equal(message, `The webroot /srv/x/b shares the folder /srv/x with ${others}.`);
  });
});

describe("unsharedDatabases", () => {
  const rule = unsharedDatabases();
  const database = (name: string, databases: string | null = "g", databaseType = "MYSQL") => ({
    databases: [{ name, databaseType }],
    deploymentTargetGroupIds: { databases },
  });
  const blog = projectOf("blog", database("a"));
  const shop = (...values: Parameters<typeof database>) => projectOf("shop", database(...values));
  const groupOf = (id: string) => `environments[${id}].deploymentTargetGroupIds.databases`;
  const subject = "database a, MYSQL in g, shared by";

  const cases = {
    names: { projects: [blog, shop("A")], finds: [] },
    "deployment target groups": { projects: [blog, shop("a", "h")], finds: [] },
    types: { projects: [blog, shop("a", "g", "REDIS")], finds: [] },
    projects: {
      projects: [blog, shop("a")],
      finds: [
        `id-blog live violated ${subject} id-blog live, id-shop live`,
        `id-shop live violated ${subject} id-blog live, id-shop live`,
      ],
    },
    "a database that one project shares with another one": {
      projects: [projectOf("a", database("a"), database("a")), blog],
      finds: [
        `id-a live violated ${subject} id-a live, id-a stage`,
        `id-a live violated ${subject} id-a live, id-a stage, id-blog live`,
        `id-a stage violated ${subject} id-a live, id-a stage`,
        `id-a stage violated ${subject} id-a live, id-a stage, id-blog live`,
        `id-blog live violated ${subject} id-a live, id-a stage, id-blog live`,
      ],
    },
    "environments of one project that share one, whatever another one lacks": {
      projects: [projectOf("a", database("a"), database("a"), database("a", null))],
      finds: [
        `id-a - undecided missing ${groupOf("test")}`,
        `id-a live violated ${subject} id-a live, id-a stage`,
        `id-a stage violated ${subject} id-a live, id-a stage`,
      ],
    },
    "a group that the service omits": {
      projects: [blog, shop("a", null)],
      finds: [`id-shop - undecided missing ${groupOf("live")}`],
    },
    "environments whose group the service omits, so that they may share nothing": {
      projects: [projectOf("a", database("a", null), database("a", null))],
      finds: [`id-a - undecided missing ${groupOf("live")}, ${groupOf("stage")}`],
    },
  };
  for (const [title, { projects, finds }] of Object.entries(cases)) {
    it(`compares ${title}`, () => {
      assert.deepEqual(foundIn(rule, projects), finds);
      assert.deepEqual(foundIn(rule, [...projects].reverse()), finds);
    });
  }

  it("does not compare environments of which it checks none", () => {
    const ofLive = unsharedDatabases({ environments: ["live"] });
    const cms = database("cms", null);
    const [one, two] = ["a", "b"].map((name) => projectOf(name, database(name), cms, cms));
    assert.deepEqual(foundIn(ofLive, [one!, two!]), []);
    assert.deepEqual(foundIn(ofLive, [two!, projectOf("c", database("cms"))]), [
      `id-b - undecided missing ${groupOf("stage")}, ${groupOf("test")}`,
    ]);
  });
});
