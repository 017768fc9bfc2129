import { argumentInvalid, checkKeys, checkLiteral } from "./checkArguments.js";

/** Checks the arguments of the functions that read many projects. */
export function checkProjectsArguments(caller: string, args: object): void {
  checkKeys(`The arguments of ${caller}`, args, [
    "details",
    "includeCredentials",
    "onInaccessible",
  ]);
  const { details, includeCredentials, onInaccessible } = args as Record<string, unknown>;
  checkLiteral(caller, "details", details, [true, false]);
  checkLiteral(caller, "includeCredentials", includeCredentials, [true, false]);
  checkLiteral(caller, "onInaccessible", onInaccessible, ["fail", "skip"]);
  if (details === true) return;
  for (const [key, value] of Object.entries({ includeCredentials, onInaccessible })) {
    if (value !== undefined) {
      throw argumentInvalid(`${caller} takes ${key} only with details: true.`);
    }
  }
}
