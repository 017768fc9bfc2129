/* Compares the types of project.ts with the description of the fields. Only the compiler needs this file. */
import type { Project, ProjectSummary } from "../../../provider/model/project.js";
import type { listFields, projectFields } from "../../../provider/model/projectFields.js";

type ScalarValue = {
  id: string;
  text: string;
  integer: number;
  flag: boolean;
  json: unknown;
};

type ValueOf<F> = F extends { kind: infer K extends keyof ScalarValue }
  ? ScalarValue[K]
  : F extends { kind: "object"; fields: infer Inner }
    ? ShapeOf<Inner>
    : F extends { kind: "list"; of: infer Inner }
      ? ShapeOf<Inner>[]
      : F extends { kind: "jsonList" }
        ? unknown[]
        : string[];

/** A result with these fields, without credentials. */
type ShapeOf<Fs> = {
  -readonly [K in keyof Fs as Fs[K] extends { isCredential: true } ? never : K]: ValueOf<Fs[K]>;
};

type Equal<A, B> = [A, B] extends [B, A] ? true : false;

type Checked<IsEqual extends true> = IsEqual;

/** The compiler refuses this type if a field is missing in one of the two, or has another type. */
export type AgreesWithTypes = [
  Checked<Equal<ShapeOf<typeof projectFields>, Project>>,
  Checked<Equal<ShapeOf<typeof listFields>, ProjectSummary>>,
];
