/** The inputs of a snapshot. */
type Inputs = Readonly<Record<string, unknown>>;

/** A snapshot before and after an update, in the JSON of a preview. */
export interface SnapshotStep {
  readonly type?: "ProjectSnapshot" | "ProjectsSnapshot";
  readonly name?: string;
  readonly op?: string;
  readonly before?: Inputs | undefined;
  readonly after?: Inputs | undefined;
  /** The inputs that Pulumi says change. Default: those with other JSON. */
  readonly changed?: readonly string[];
  /** The option `ignoreChanges`. */
  readonly ignored?: readonly string[];
}

/** Returns a preview in the JSON of CLI 3.220.0, with a stack and these snapshots. */
export function previewJson(
  steps: readonly (SnapshotStep | object)[],
  more: Readonly<Record<string, unknown>> = {},
): string {
  const stack = { type: "pulumi:pulumi:Stack", custom: false };
  const document = {
    steps: [
      { op: "same", urn: urnOf(stack.type, "hosting-dev"), oldState: stack, newState: stack },
      ...steps.map((step) => ("urn" in step ? step : stepOf(step))),
    ],
    duration: 4110996573,
    changeSummary: { same: 1 },
    ...more,
  };
  return JSON.stringify(document, undefined, 4);
}

export function urnOf(type: string, name: string): string {
  return `urn:pulumi:dev::hosting::${type}::${name}`;
}

function stepOf({
  type = "ProjectsSnapshot",
  name = "fleet",
  op = "update",
  before,
  after,
  changed,
  ignored,
}: SnapshotStep) {
  const fullType = `pulumi-nodejs:dynamic/project-service:${type}`;
  const stateOf = (inputs: Inputs | undefined) =>
    inputs && { type: fullType, custom: true, inputs, outputs: inputs, ignoreChanges: ignored };
  const keys = Object.keys({ ...before, ...after });
  const differing = keys.filter(
    (key) => JSON.stringify(before?.[key]) !== JSON.stringify(after?.[key]),
  );
  return {
    op,
    urn: urnOf(fullType, name),
    oldState: stateOf(before),
    newState: stateOf(after),
    diffReasons: changed ?? differing,
  };
}
