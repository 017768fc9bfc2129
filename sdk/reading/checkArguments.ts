import * as pulumi from "@pulumi/pulumi";
import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import { checkProjectId } from "../../provider/model/projectId.js";
import { checkArgument, jsonPath } from "../../provider/wire/validate.js";

/** The function that the program called, whose arguments are checked. */
export interface Caller {
  readonly name: string;
  /** Whether values may still be Outputs. The caller checks them again when they are known. */
  readonly takesOutputs: boolean;
}

/** Whether a value arrives later. */
export function isPending(value: unknown): boolean {
  return pulumi.Output.isInstance(value) || value instanceof Promise;
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isPending(value);
}

type SchemaName = Parameters<typeof checkArgument>[0];

/**
 * Checks arguments or options against a schema, before a property of an Output is read.
 *
 * @param what what the program passed: `The argument`.
 */
export function checkShape(
  { name, takesOutputs }: Caller,
  schema: SchemaName,
  value: unknown,
  what = "The argument",
): void {
  const pending: (readonly string[])[] = [];
  const known = withoutPending(value, [], pending);
  checkArgument(schema, known, `${what} of ${name}`, (path) => `${path} of ${name}`);
  const [first] = pending;
  if (first === undefined || takesOutputs) return;
  throw argumentInvalid(
    `${jsonPath(first)} of ${name} must be a plain value. To pass an Output or a Promise, call ${name}Output.`,
  );
}

/** Stands for an Output or a Promise. Schemas accept null where a value may arrive later. */
const pendingValue = null;
/** Stands for a null that the program passed. No schema accepts NaN. */
const passedNull = NaN;

/** Copies a value, with {@link pendingValue} in place of Outputs and Promises, whose paths go into `pending`. */
function withoutPending(
  value: unknown,
  path: readonly string[],
  pending: (readonly string[])[],
): unknown {
  if (isPending(value)) {
    pending.push(path);
    return pendingValue;
  }
  if (value === null) return passedNull;
  if (typeof value !== "object" || pulumi.Resource.isInstance(value)) return value;
  const members = Object.entries(value).map(
    ([key, member]) => [key, withoutPending(member, [...path, key], pending)] as const,
  );
  return Array.isArray(value) ? members.map(([, member]) => member) : Object.fromEntries(members);
}

/** Returns a function that reads one project, with the check of its arguments. */
export function projectFunction<N extends string, R>(name: N, schema: SchemaName, read: R) {
  const check = (caller: Caller, args: object): void => {
    checkShape(caller, schema, args);
    const { projectId, name } = args as Readonly<Record<string, unknown>>;
    if (typeof projectId === "string") checkProjectId(projectId);
    if ((projectId === undefined) !== (name === undefined)) return;
    const problem = name === undefined ? "One of them must not be undefined." : "Do not pass both.";
    throw argumentInvalid(`Pass either projectId or name to ${caller.name}. ${problem}`);
  };
  return { name, check, read };
}
