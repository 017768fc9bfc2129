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

/** Makes the project of a response with status 200. Each caller gets objects and secrets of its own. */
export function toProject(
  body: Buffer,
  context: RequestContext,
  mapper: CredentialMapper,
): MappedProject {
  const broken = (problem: string, advice = "Correct the project in the service.") =>
    toProjectServiceError(new InvalidResponseError(problem, advice), context, true);
  let isProject = false;
  try {
    const json = parseJson(body);
    isProject = (json as Partial<WireProject> | null)?._id === context.projectId;
    const wire = validateProject(json);
    if (!isProject) throw new InvalidResponseError("_id is the id of another project");
    const project = mapProject(wire, mapper);
    const isSelected: MappedProject["isSelected"] = (filters, isNullAbsent = false) => {
      const decision = decide(project, filters, ({ key }) => lacksField(wire, key, isNullAbsent));
      if (typeof decision === "string") return decision === "selected";
      throw broken(
        `it lacks ${decision.undecidedBy.key}, which a filter needs`,
        "Correct the project in the service, or filter in the program.",
      );
    };
    return { project, isSelected };
  } catch (error) {
    const isBroken = isProject && error instanceof InvalidResponseError && !error.advice;
    throw isBroken ? broken(error.message) : toProjectServiceError(error, context);
  }
}
