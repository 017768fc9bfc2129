import assert from "node:assert/strict";
import {
  ProjectServiceError,
  type ProjectServiceErrorCode,
} from "../../provider/errors/projectServiceError.js";

/** Returns the ProjectServiceError of `action`. Fails the test after a success, or for another code. */
export async function failureOf(
  action: Promise<unknown> | (() => unknown),
  code: ProjectServiceErrorCode,
): Promise<ProjectServiceError> {
  try {
    await (typeof action === "function" ? action() : action);
  } catch (error) {
    assert.ok(error instanceof ProjectServiceError, `not a ProjectServiceError: ${String(error)}`);
    assert.equal(error.code, code, error.message);
    return error;
  }
  assert.fail(`expected ${code}, but it succeeded`);
}
