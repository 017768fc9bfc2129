import assert from "node:assert/strict";
import { InvalidResponseError } from "../../../provider/errors/requestFailure.js";
import { keepCredentials } from "../../../provider/wire/credentials.js";
import { mapProject } from "../../../provider/wire/mapping.js";
import { validateProject, validateProjectList } from "../../../provider/wire/validate.js";
import { setAt, wireProject } from "../../support/project.js";

const environment = "projectEnvironments[1]";
const code = `${environment}.projectEnvironmentCode`;
const database = `${environment}.projectEnvironmentDatabases.databases[0]`;

function projectWith(place: string, value: unknown): object {
  return wireProject((project) => setAt(project, place, value));
}

/** Returns the message with which a response is rejected. */
function rejectionOf(validate: () => unknown): string {
  try {
    validate();
  } catch (error) {
    assert.ok(error instanceof InvalidResponseError);
    return error.message;
  }
  assert.fail("the response was accepted");
}

describe("the validation of a project", () => {
  for (const place of [
    "_id",
    `${environment}.environmentId`,
    `${environment}.symLinks[0].id`,
    `${database}.name`,
  ]) {
    it(`rejects one whose ${place} is missing, null or not text, and names the place`, () => {
      for (const value of [undefined, null, 12345]) {
        const message = rejectionOf(() => validateProject(projectWith(place, value)));
        assert.ok(message.startsWith(place), message);
        assert.ok(!message.includes("12345"), message);
      }
    });
  }

  /** Each place, and the values that are wrong there. */
  const valuesOfWrongType: Record<string, unknown[]> = {
    type: [1],
    hasCode: ["true"],
    codeRepository: ["git"],
    projectEnvironments: [{}],
    [environment]: [null],
    [`${environment}.order`]: [1.5, "1"],
    [`${code}.branch.guarded`]: [1],
    [`${database}.associationId`]: ["5"],
    [`${database}.password`]: [{}],
  };
  for (const [place, values] of Object.entries(valuesOfWrongType)) {
    for (const value of values) {
      it(`rejects ${JSON.stringify(value)} as ${place}`, () => {
        rejectionOf(() => validateProject(projectWith(place, value)));
      });
    }
  }

  // These stand for every text field.
  for (const place of ["domain", "name", `${database}.password`]) {
    const rejected = {
      "Pulumi's text for an unknown value": "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
      "the first half of a surrogate pair": "a\ud83d",
      "the second half of a surrogate pair": "\ude00b",
    };
    for (const [what, text] of Object.entries(rejected)) {
      it(`rejects ${what} as ${place}`, () => {
        const read = () => mapProject(validateProject(projectWith(place, text)), keepCredentials);
        assert.ok(rejectionOf(read).startsWith(`${place} `));
      });
    }
  }

  it("accepts a database without credentials, for users who may not see them", () => {
    for (const value of [undefined, null, ""]) {
      const project = projectWith(`${database}.password`, value);
      assert.equal(validateProject(project), project);
    }
  });

  it("accepts or rejects any value in any place, and never shows it", () => {
    const texts = ["", "__proto__", "c4nary \u001b[31m", "04da6b54-80e4-46f7-96ec-b56ff0331ba9"];
    const numbers = [0, -1, 1.5, 1e308, 9007199254740993];
    const records = [{ c4nary: 1 }, { then: "c4nary" }, { __pulumiOutput: true }, { length: 3 }];
    const values = [...texts, ...numbers, ...records, {}, [], [null], [["c4nary"]], true, null];
    let accepted = 0;
    const paths = [...pathsIn(wireProject())];
    for (const path of paths) {
      for (const value of values) {
        const project = wireProject((shop) => setAt(shop, path, structuredClone(value)));
        try {
          mapProject(validateProject(project), keepCredentials);
          accepted++;
        } catch (error) {
          assert.ok(error instanceof InvalidResponseError, String(error));
          assert.doesNotMatch(error.message, /c4nary/);
        }
      }
    }
    const cases = paths.length * values.length;
    // Else the loop would show nothing: all accepted, or all rejected.
    assert.ok(accepted > cases / 10 && accepted < cases / 2, `${accepted} of ${cases}`);
  });
});

describe("the validation of a list", () => {
  for (const element of [{ _id: "p" }, { name: "n" }, { _id: "", name: "n" }, null, "p"]) {
    it(`rejects the element ${JSON.stringify(element)}, which lacks an id or a name`, () => {
      rejectionOf(() => validateProjectList({ _embedded: { projectResources: [element] } }));
    });
  }
});

/** Yields the path of each value in a response. Of a list, only the first element. */
function* pathsIn(value: unknown, path: string[] = []): Generator<string[]> {
  if (typeof value !== "object" || value === null) return;
  const members = Object.entries(value);
  for (const [key, member] of Array.isArray(value) ? members.slice(0, 1) : members) {
    yield [...path, key];
    yield* pathsIn(member, [...path, key]);
  }
}
