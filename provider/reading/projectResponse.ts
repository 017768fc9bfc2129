import {
  InvalidResponseError,
  type RequestContext,
  toProjectServiceError,
} from "../errors/requestFailure.js";
import type { Project } from "../model/project.js";
import { type CompiledFilter, decide } from "../model/projectFilter.js";
import { lacksField } from "../wire/absentFields.js";
import type { CredentialMapper } from "../wire/credentials.js";
import { mapProject } from "../wire/mapping.js";
import { parseJson, validateProject, type WireProject } from "../wire/validate.js";

/** A project, and what tells whether filters select it. */
export interface MappedProject {
  readonly project: Project;
  /**
   * @param isNullAbsent whether null in place of an object or a list decides nothing. For a project that was selected
   *   before, it may be the response of a server that has lost it.
   * @throws ProjectServiceError `RESPONSE_INVALID` if the response lacks what decides about it.
   */
  readonly isSelected: (filters: readonly CompiledFilter[], isNullAbsent?: boolean) => boolean;
}

/** A response with status 200 to the read of a project. */
export class ProjectResponse {
  constructor(
    private readonly body: Buffer,
    private readonly context: RequestContext,
  ) {}

  /** Makes the project. Each caller gets objects and secrets of its own. */
  map(mapper: CredentialMapper): MappedProject {
    const { body, context } = this;
    let isProject = false;
    try {
      const json = parseJson(body);
      isProject = (json as Partial<WireProject> | null)?._id === context.projectId;
      const wire = validateProject(json);
      if (!isProject) throw new InvalidResponseError("_id is the id of another project");
      const project = mapProject(wire, mapper);
      return {
        project,
        isSelected: (filters, isNullAbsent = false) =>
          this.isSelected(project, filters, ({ key }) => lacksField(wire, key, isNullAbsent)),
      };
    } catch (error) {
      const isBroken = isProject && error instanceof InvalidResponseError && !error.advice;
      throw isBroken ? this.broken(error.message) : toProjectServiceError(error, context);
    }
  }

  private isSelected(
    project: Project,
    filters: readonly CompiledFilter[],
    lacks: (filter: CompiledFilter) => boolean,
  ): boolean {
    const decision = decide(project, filters, lacks);
    if (typeof decision === "string") return decision === "selected";
    throw this.broken(
      `it lacks ${decision.undecidedBy.key}, which a filter needs`,
      "Correct the project in the service, or filter in the program.",
    );
  }

  private broken(problem: string, advice = "Correct the project in the service."): Error {
    const error = new InvalidResponseError(problem, advice);
    return toProjectServiceError(error, this.context, true);
  }
}
