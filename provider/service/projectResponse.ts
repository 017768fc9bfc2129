import { InaccessibleProjectError } from "../errors/projectServiceError.js";
import {
  InvalidResponseError,
  type RequestContext,
  toProjectServiceError,
} from "../errors/requestFailure.js";
import type { Project } from "../model/project.js";
import { type CompiledFilter, decide } from "../model/projectFilter.js";
import { isAbsent } from "../wire/absentFields.js";
import type { CredentialMapper } from "../wire/credentials.js";
import { mapProject } from "../wire/mapping.js";
import { parseJson, validateProject, type WireProject } from "../wire/validate.js";

/** A response with status 200 to the read of a project. */
export class ProjectResponse {
  private wire: WireProject | undefined;

  constructor(
    private readonly body: Buffer,
    private readonly context: RequestContext,
  ) {}

  /** Makes the project. Each caller gets objects and secrets of its own. */
  project<P extends Project>(mapper: CredentialMapper<P>): P {
    const { body, context } = this;
    let isProject = false;
    try {
      const json = parseJson(body);
      isProject = (json as Partial<WireProject> | null)?._id === context.projectId;
      this.wire = validateProject(json);
      if (!isProject) throw new InvalidResponseError("_id is the id of another project");
      return mapProject(this.wire, mapper);
    } catch (error) {
      const isBroken = isProject && error instanceof InvalidResponseError && !error.advice;
      throw isBroken ? this.broken(error.message) : toProjectServiceError(error, context);
    }
  }

  /**
   * Whether filters select the project that was made.
   *
   * @param isNullAbsent whether null in place of an object or a list decides nothing. For a project that was selected
   *   before, it may be the response of a server that has lost it.
   * @throws ProjectServiceError `RESPONSE_INVALID` if the response lacks what decides about it.
   */
  isSelected(project: Project, filters: readonly CompiledFilter[], isNullAbsent = false): boolean {
    const { wire = {} } = this;
    const isSelected = decide(project, filters, ({ key }) => isAbsent(wire, key, isNullAbsent));
    if (typeof isSelected === "boolean") return isSelected;
    throw this.broken(
      `it lacks ${isSelected.key}, which a filter needs`,
      "Correct the project in the service, or filter in the program.",
    );
  }

  private broken(problem: string, advice = "Correct the project in the service."): Error {
    const error = new InvalidResponseError(problem, advice);
    return toProjectServiceError(error, this.context, InaccessibleProjectError);
  }
}
