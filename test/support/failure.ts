import assert from "node:assert/strict";
import { ProjectServiceError, type ProjectServiceErrorCode } from "../../provider/errors.js";

/** The ProjectServiceError that `action` fails with; fails the test if it does not, or with another code. */
export async function failureOf(
  action: Promise<unknown> | (() => unknown),
  code: ProjectServiceErrorCode,
): Promise<ProjectServiceError> {
  try {
    await (typeof action === "function" ? action() : action);
  } catch (error) {
    assert.ok(error instanceof ProjectServiceError, `not ours: ${String(error)}`);
    assert.equal(error.code, code, error.message);
    return error;
  }
  assert.fail(`expected ${code}, but it succeeded`);
}
