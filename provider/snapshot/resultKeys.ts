import { projectFields } from "../model/projectFields.js";

/** The properties of both resources that the service decides. The program decides the others. */
export const resultKeys: ReadonlySet<string> = new Set([
  ...Object.keys(projectFields),
  ...["projects", "inaccessible", "service", "credentials", "fieldsVersion"],
]);
